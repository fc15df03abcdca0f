using System.Collections;
using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Renders a message straight to UTF-8, character for character as MEL's formatter would.</summary>
internal static class MessageRenderer
{
    private const int ValueRoom = 128;

    public static void Render(MessageTemplate template, ReadOnlySpan<LogProperty> values, RecordBuffer output, LogEvent logEvent)
    {
        var writer = new Utf8Writer(output);
        foreach (ref readonly var part in template.Parts.AsSpan())
        {
            if (part.Index < 0)
            {
                writer.Write(part.Literal);
                continue;
            }

            var value = values[part.Index].Value;
            if (part.Alignment == 0 && TryWriteKnown(ref writer, in value, part.Format))
                continue;
            writer.Flush();
            WriteAny(in part, in value, output, logEvent);
            writer = new Utf8Writer(output);
        }

        writer.Flush();
    }

    /// <summary>Copies a finished text.</summary>
    public static void Copy(string? text, RecordBuffer output)
    {
        if (string.IsNullOrEmpty(text))
            return;
        var writer = new Utf8Writer(output);
        // Three bytes per unit at most: what lies beyond the limit is not even transcoded, only counted.
        var kept = Math.Min(text.Length, output.Limit);
        writer.Write(text.AsSpan(0, kept));
        writer.Flush();
        if (kept < text.Length)
            output.CountOnly(Encoding.UTF8.GetByteCount(text.AsSpan(kept)));
    }

    /// <summary>Appends an object's own text, or a placeholder when it throws.</summary>
    public static void AppendText(object? value, RecordBuffer output, LogEvent logEvent)
    {
        var start = output.Total;
        try
        {
            Copy(value as string ?? value?.ToString(), output);
        }
        catch (Exception)
        {
            Fail(value!, start, output, logEvent);
        }
    }

    // Values whose text has a bound and needs no user code.
    private static bool TryWriteKnown(ref Utf8Writer writer, in LogValue value, string? format)
    {
        switch (value.Kind)
        {
            case LogValueKind.Null:
                writer.Write("(null)"u8);
                return true;
            case LogValueKind.String:
                writer.Write(value.String);
                return true;
            case LogValueKind.Int32:
                return TryWrite(ref writer, value.Raw<int>(), format);
            case LogValueKind.Int64:
                return TryWrite(ref writer, value.Raw<long>(), format);
            case LogValueKind.Double:
                return TryWriteFixed(ref writer, value.Raw<double>(), format) || TryWrite(ref writer, value.Raw<double>(), format);
            case LogValueKind.Boolean:
                writer.Write(value.Raw<bool>() ? "True"u8 : "False"u8);
                return true;
            case LogValueKind.Enum when format is null:
                writer.Write(value.Names.GetName(value.EnumBits));
                return true;
            case LogValueKind.Object or LogValueKind.Enum:
                return false;
            default:
                return TryWriteRare(ref writer, in value, format);
        }
    }

    private static bool TryWriteRare(ref Utf8Writer writer, in LogValue value, string? format) => value.Kind switch
    {
        LogValueKind.Char => TryWriteChar(ref writer, value.Raw<char>()),
        LogValueKind.SByte => TryWrite(ref writer, value.Raw<sbyte>(), format),
        LogValueKind.Byte => TryWrite(ref writer, value.Raw<byte>(), format),
        LogValueKind.Int16 => TryWrite(ref writer, value.Raw<short>(), format),
        LogValueKind.UInt16 => TryWrite(ref writer, value.Raw<ushort>(), format),
        LogValueKind.UInt32 => TryWrite(ref writer, value.Raw<uint>(), format),
        LogValueKind.UInt64 => TryWrite(ref writer, value.Raw<ulong>(), format),
        LogValueKind.Int128 => TryWrite(ref writer, value.Raw<Int128>(), format),
        LogValueKind.UInt128 => TryWrite(ref writer, value.Raw<UInt128>(), format),
        LogValueKind.Half => TryWrite(ref writer, value.Raw<Half>(), format),
        LogValueKind.Single => TryWrite(ref writer, value.Raw<float>(), format),
        LogValueKind.Decimal => TryWrite(ref writer, value.Raw<decimal>(), format),
        LogValueKind.Guid => TryWrite(ref writer, value.Raw<Guid>(), format),
        LogValueKind.DateTime => TryWrite(ref writer, value.Raw<DateTime>(), format),
        LogValueKind.DateTimeOffset => TryWrite(ref writer, value.Raw<DateTimeOffset>(), format),
        LogValueKind.DateOnly => TryWrite(ref writer, value.Raw<DateOnly>(), format),
        LogValueKind.TimeOnly => TryWrite(ref writer, value.Raw<TimeOnly>(), format),
        LogValueKind.TimeSpan => TryWrite(ref writer, value.Raw<TimeSpan>(), format),
        _ => false,
    };

    private static bool TryWriteChar(ref Utf8Writer writer, char value)
    {
        writer.Write(new ReadOnlySpan<char>(in value));
        return true;
    }

    private static bool TryWriteFixed(ref Utf8Writer writer, double value, string? format)
    {
        var digits = FixedPoint.DigitsOf(format);
        if (digits < 0 || !FixedPoint.TryFormat(value, digits, writer.GetSpan(ValueRoom), out var written))
            return false;
        writer.Advance(written);
        return true;
    }

    // False when the text does not fit the room or the format is refused: then .NET's own way decides.
    private static bool TryWrite<T>(ref Utf8Writer writer, T value, string? format)
        where T : struct, IUtf8SpanFormattable
    {
        try
        {
            if (!value.TryFormat(writer.GetSpan(ValueRoom), out var written, format, CultureInfo.InvariantCulture))
                return false;
            writer.Advance(written);
            return true;
        }
        catch (FormatException)
        {
            // WriteAny meets it again and counts it.
            return false;
        }
    }

    private static void WriteAny(in MessagePart part, in LogValue value, RecordBuffer output, LogEvent logEvent)
    {
        var start = output.Total;
        object? argument = null;
        try
        {
            argument = value.ToObject();
            Copy(Pad(TextOf(argument, part.Format), part.Alignment), output);
        }
        catch (Exception)
        {
            Fail(argument!, start, output, logEvent);
        }
    }

    private static string TextOf(object? argument, string? format) => argument switch
    {
        null => "(null)",
        string text => text,
        IEnumerable items => Join(items),
        IFormattable formattable => formattable.ToString(format, CultureInfo.InvariantCulture) ?? "",
        _ => argument.ToString() ?? "",
    };

    private static string Join(IEnumerable items)
    {
        var text = new StringBuilder();
        var isFirst = true;
        foreach (var item in items)
        {
            if (!isFirst)
                text.Append(", ");
            isFirst = false;
            text.Append(item is IFormattable formattable ? formattable.ToString(null, CultureInfo.InvariantCulture) : item is null ? "(null)" : item.ToString());
        }

        return text.ToString();
    }

    private static string Pad(string text, int alignment) => alignment switch
    {
        0 => text,
        > 0 => text.PadLeft(alignment),
        _ => text.PadRight(-alignment),
    };

    private static void Fail(object culprit, long start, RecordBuffer output, LogEvent logEvent)
    {
        logEvent.RenderErrors++;
        if (!output.IsCut && output.Total > start)
            output.Rewind((int)start);
        Copy($"<error: {culprit.GetType().FullName}>", output);
    }
}
