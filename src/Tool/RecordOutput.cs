using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace AsyncLog.Tool;

/// <summary>Writes records as JSON lines, as their bytes, or on a terminal as text in which control characters are escaped: clients may have logged them.</summary>
/// <param name="isTerminal">True if it is a terminal.</param>
/// <param name="asJson">True for JSON lines.</param>
internal sealed class RecordOutput(Stream stream, bool isTerminal, bool asJson) : IDisposable
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
    private readonly BufferedStream _output = new(stream, 64 << 10);

    /// <summary>Writes one record.</summary>
    /// <param name="records">The bytes that the place refers to.</param>
    public void Write(Slot slot, ReadOnlySpan<byte> records, string category)
    {
        var bytes = records.Slice(Slot.Offset(slot.Word), Slot.Length(slot.Word));
        if (asJson)
            WriteJson(slot, bytes, category);
        else if (isTerminal)
            _output.Write(Encoding.UTF8.GetBytes(Escaped(Encoding.UTF8.GetString(bytes).TrimEnd('\n')) + "\n"));
        else
            _output.Write(bytes);
    }

    /// <summary>UTC ticks as ISO 8601.</summary>
    public static string Time(long ticks) => new DateTime(ticks, DateTimeKind.Utc).ToString("o", CultureInfo.InvariantCulture);

    public void Dispose() => _output.Dispose();

    private void WriteJson(Slot slot, ReadOnlySpan<byte> bytes, string category)
    {
        using (var writer = new Utf8JsonWriter(_output, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            writer.WriteStartObject();
            writer.WriteString("time", Time(slot.Ticks));
            writer.WriteString("level", Slot.Level(slot.Word).ToString());
            writer.WriteString("category", category);
            if (OtlpRecord.Read(bytes) is { } record)
            {
                foreach (var (name, value) in record)
                {
                    writer.WritePropertyName(name);
                    if (value is null)
                        writer.WriteNullValue();
                    else
                        value.WriteTo(writer);
                }
            }
            else if (TextOf(bytes) is { } text)
            {
                writer.WriteString("text", text);
            }
            else
            {
                writer.WriteBase64String("base64", bytes);
            }

            writer.WriteEndObject();
        }

        _output.WriteByte((byte)'\n');
    }

    // C0 but line feed and tab, DEL, and C1: some of them are commands of a terminal.
    private static string Escaped(string text)
    {
        var escaped = new StringBuilder(text.Length);
        foreach (var character in text)
        {
            if (char.IsControl(character) && character is not ('\n' or '\t'))
                escaped.Append(CultureInfo.InvariantCulture, $"\\u{(int)character:x4}");
            else
                escaped.Append(character);
        }

        return escaped.ToString();
    }

    // Null: it is no text.
    private static string? TextOf(ReadOnlySpan<byte> bytes)
    {
        try
        {
            var text = Strict.GetString(bytes).TrimEnd('\n');
            return text.AsSpan().ContainsAnyInRange('\0', '\b') ? null : text;
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }
}
