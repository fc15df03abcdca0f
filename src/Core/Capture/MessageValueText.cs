using System.Collections;
using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Writes one value as MEL's formatter does: <c>string.Format</c> in the invariant culture, null as <c>(null)</c>, sequences joined.</summary>
internal static class MessageValueText
{
    /// <summary>Writes the value of a hole.</summary>
    /// <exception cref="Exception">What user code throws; nothing or a part of the value is written then.</exception>
    public static void Write(ref MessageWriter writer, in LogValue value, in MessagePart part)
    {
        switch (value.Kind)
        {
            case LogValueKind.String:
                writer.Write(value.String);
                break;
            case LogValueKind.Int32:
                writer.WriteValue(value.Raw<int>(), part.Format);
                break;
            case LogValueKind.Int64:
                writer.WriteValue(value.Raw<long>(), part.Format);
                break;
            case LogValueKind.Double when part.FixedDigits >= 0:
                writer.WriteFixed(value.Raw<double>(), part.FixedDigits, part.Format!);
                break;
            case LogValueKind.Null:
                writer.Write("(null)"u8);
                break;
            case LogValueKind.Boolean:
                writer.Write(value.Raw<bool>() ? "True"u8 : "False"u8);
                break;
            case LogValueKind.Char:
                writer.Write([value.Raw<char>()]);
                break;
            case LogValueKind.Enum:
                WriteEnum(ref writer, value, part.Format);
                break;
            case LogValueKind.Object:
                WriteObject(ref writer, value.Object!, part.Format);
                break;
            default:
                WriteKnown(ref writer, value, part.Format);
                break;
        }
    }

    /// <summary>The text of a value that may begin or end with half a surrogate pair; null for values whose text is whole runes.</summary>
    /// <param name="value">The value.</param>
    /// <param name="format">The hole's format.</param>
    /// <param name="limit">Where an endless sequence ends.</param>
    /// <exception cref="Exception">What user code throws.</exception>
    public static string? TextOf(in LogValue value, string? format, int limit) => value.Kind switch
    {
        LogValueKind.String => value.String,
        LogValueKind.Char => value.Raw<char>().ToString(),
        LogValueKind.Object => value.Object switch
        {
            IEnumerable items => Join(items, limit),
            IFormattable formattable => formattable.ToString(format, CultureInfo.InvariantCulture) ?? "",
            var other => other!.ToString() ?? "",
        },
        _ => null,
    };

    private static void WriteKnown(ref MessageWriter writer, in LogValue value, string? format)
    {
        switch (value.Kind)
        {
            case LogValueKind.SByte: writer.WriteValue(value.Raw<sbyte>(), format); break;
            case LogValueKind.Byte: writer.WriteValue(value.Raw<byte>(), format); break;
            case LogValueKind.Int16: writer.WriteValue(value.Raw<short>(), format); break;
            case LogValueKind.UInt16: writer.WriteValue(value.Raw<ushort>(), format); break;
            case LogValueKind.UInt32: writer.WriteValue(value.Raw<uint>(), format); break;
            case LogValueKind.UInt64: writer.WriteValue(value.Raw<ulong>(), format); break;
            case LogValueKind.Int128: writer.WriteValue(value.Raw<Int128>(), format); break;
            case LogValueKind.UInt128: writer.WriteValue(value.Raw<UInt128>(), format); break;
            case LogValueKind.Half: writer.WriteValue(value.Raw<Half>(), format); break;
            case LogValueKind.Single: writer.WriteValue(value.Raw<float>(), format); break;
            case LogValueKind.Double: writer.WriteValue(value.Raw<double>(), format); break;
            case LogValueKind.Decimal: writer.WriteValue(value.Raw<decimal>(), format); break;
            case LogValueKind.Guid: writer.WriteValue(value.Raw<Guid>(), format); break;
            case LogValueKind.DateTime: writer.WriteValue(value.Raw<DateTime>(), format); break;
            case LogValueKind.DateTimeOffset: writer.WriteValue(value.Raw<DateTimeOffset>(), format); break;
            case LogValueKind.DateOnly: writer.WriteValue(value.Raw<DateOnly>(), format); break;
            case LogValueKind.TimeOnly: writer.WriteValue(value.Raw<TimeOnly>(), format); break;
            case LogValueKind.TimeSpan: writer.WriteValue(value.Raw<TimeSpan>(), format); break;
        }
    }

    private static void WriteEnum(ref MessageWriter writer, in LogValue value, string? format)
    {
        var isNegative = value.Names.IsSigned && (long)value.EnumBits < 0;
        if (format is "D" or "d" && !isNegative)
            writer.WriteValue(value.EnumBits, null);
        else if (value.Names.GetName(value.EnumBits) is var name && IsGeneral(format) && name[0] != '-')
            writer.Write(name);
        else
            // .NET prints negative numbers of enums with the minus sign of the thread's culture, and so does MEL.
            writer.Write(((IFormattable)value.ToObject()!).ToString(format, CultureInfo.InvariantCulture));
    }

    private static bool IsGeneral(string? format) => string.IsNullOrEmpty(format) || format is "G" or "g";

    private static void WriteObject(ref MessageWriter writer, object value, string? format)
    {
        if (value is IEnumerable items)
            WriteItems(ref writer, items);
        else if (value is not IUtf8SpanFormattable utf8 || !writer.TryWriteForeign(utf8, format))
            WriteFormatted(ref writer, value, format);
    }

    private static void WriteFormatted(ref MessageWriter writer, object value, string? format)
    {
        Span<char> room = stackalloc char[256];
        if (value is ISpanFormattable span && span.TryFormat(room, out var length, format, CultureInfo.InvariantCulture))
            writer.Write(room[..length]);
        else if (value is IFormattable formattable)
            writer.Write(formattable.ToString(format, CultureInfo.InvariantCulture));
        else
            writer.Write(value.ToString());
    }

    private static void WriteItems(ref MessageWriter writer, IEnumerable items)
    {
        var isFirst = true;
        foreach (var item in items)
        {
            if (!isFirst)
                writer.Write(", "u8);
            isFirst = false;
            writer.Write(ItemText(item));
            // A sequence may be endless; what is beyond the limit is not stored anyway.
            if (writer.IsFull)
                return;
        }
    }

    private static string Join(IEnumerable items, int limit)
    {
        var text = new StringBuilder();
        foreach (var item in items)
        {
            if (text.Length > limit)
                break;
            text.Append(ItemText(item)).Append(", ");
        }
        return text.Length == 0 ? "" : text.ToString(0, text.Length - 2);
    }

    private static string? ItemText(object? item)
        => item is IFormattable formattable ? formattable.ToString(null, CultureInfo.InvariantCulture)
            : item is null ? "(null)"
            : item.ToString();
}
