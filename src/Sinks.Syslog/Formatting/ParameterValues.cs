using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>Writes values of parameters: their text in the invariant culture, escaped and within the limit of one value.</summary>
/// <param name="controls">What becomes of control characters.</param>
/// <param name="most">The most bytes of a value after escaping; 16 at least.</param>
internal sealed class ParameterValues(SyslogControlCharacters controls, int most)
{
    private const int MostBytesPerChar = 3;

    private readonly WireText _text = new(controls, isParameter: true);

    /// <summary>Writes valid UTF-8; gives back whether it was cut.</summary>
    public bool Write(ref WireWriter writer, scoped ReadOnlySpan<byte> utf8) => _text.Write(ref writer, utf8, most);

    /// <summary>Writes text; gives back whether it was cut.</summary>
    public bool Write(ref WireWriter writer, string text, SyslogScratch scratch) => _text.Write(ref writer, text, most, scratch);

    /// <summary>Writes a value of the event; gives back whether it was cut.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Write(ref WireWriter writer, in LogValue value, LogEvent logEvent, SyslogScratch scratch)
    {
        if (value.Kind == LogValueKind.String)
            return Write(ref writer, value.String!, scratch);
        var start = writer.Position;
        switch (value.Kind)
        {
            case LogValueKind.Null: return false;
            case LogValueKind.Boolean: writer.Write(value.Get<bool>() ? "true"u8 : "false"u8); return false;
            case LogValueKind.Int32: writer.WriteValue(value.Get<int>()); return false;
            case LogValueKind.Int64: writer.WriteValue(value.Get<long>()); break;
            case LogValueKind.Double: writer.WriteValue(value.Get<double>()); break;
            case LogValueKind.Decimal: writer.WriteValue(value.Get<decimal>()); break;
            case LogValueKind.Guid: writer.WriteValue(value.Get<Guid>()); break;
            case LogValueKind.DateTime: writer.WriteValue(value.Get<DateTime>(), "O"); break;
            case LogValueKind.DateTimeOffset: writer.WriteValue(value.Get<DateTimeOffset>(), "O"); break;
            case LogValueKind.TimeSpan: writer.WriteValue(value.Get<TimeSpan>(), "c"); break;
            default: return WriteOther(ref writer, value, logEvent, scratch);
        }

        return writer.Position - start > most && Shorten(ref writer, start, scratch);
    }

    private bool WriteOther(ref WireWriter writer, in LogValue value, LogEvent logEvent, SyslogScratch scratch)
    {
        var text = logEvent.GetText(value, (most + 1) * MostBytesPerChar);
        return value.Kind == LogValueKind.Object && !Utf8.IsValid(text)
            ? _text.Write(ref writer, Encoding.UTF8.GetString(text), most, scratch)
            : Write(ref writer, text);
    }

    private bool Shorten(ref WireWriter writer, int start, SyslogScratch scratch)
    {
        var number = writer.Written[start..];
        var copy = scratch.TextOf(number.Length).AsSpan(0, number.Length);
        number.CopyTo(copy);
        writer.Position = start;
        return Write(ref writer, copy);
    }
}
