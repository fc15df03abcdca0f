using System.Globalization;
using System.Text;
using System.Text.Json;

namespace AsyncLog.Tool;

/// <summary>Writes records as their bytes, or as JSON lines.</summary>
internal static class RecordOutput
{
    private static readonly JsonSerializerOptions Lenient = new() { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Writes one record.</summary>
    /// <param name="slot">Its place, level and time.</param>
    /// <param name="records">The bytes that the place refers to.</param>
    /// <param name="category">The name of its category.</param>
    /// <param name="asJson">True for a JSON line.</param>
    /// <param name="output">Where.</param>
    public static void Write(Slot slot, ReadOnlySpan<byte> records, string category, bool asJson, TextWriter output)
    {
        var bytes = records.Slice(Slot.Offset(slot.Word), Slot.Length(slot.Word));
        if (asJson)
        {
            var (text, base64) = TextOf(bytes);
            var record = new Dictionary<string, string> { ["time"] = Time(slot.Ticks), ["level"] = Slot.Level(slot.Word).ToString(), ["category"] = category };
            record[text is null ? "base64" : "text"] = text ?? base64!;
            output.WriteLine(JsonSerializer.Serialize(record, Lenient));
        }
        else
        {
            var text = Encoding.UTF8.GetString(bytes);
            output.Write(text);
            if (!text.EndsWith('\n'))
                output.WriteLine();
        }
    }

    /// <summary>UTC ticks as ISO 8601.</summary>
    public static string Time(long ticks) => new DateTime(ticks, DateTimeKind.Utc).ToString("o", CultureInfo.InvariantCulture);

    // A record of OTLP is protobuf: its bytes are no text.
    private static (string? Text, string? Base64) TextOf(ReadOnlySpan<byte> bytes)
    {
        try
        {
            var text = Strict.GetString(bytes).TrimEnd('\n');
            return text.AsSpan().ContainsAnyInRange('\0', '\b') ? (null, Convert.ToBase64String(bytes)) : (text, null);
        }
        catch (DecoderFallbackException)
        {
            return (null, Convert.ToBase64String(bytes));
        }
    }
}
