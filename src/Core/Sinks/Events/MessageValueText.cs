using System.Collections;
using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Writes one value as MEL's formatter does: <c>string.Format</c> in the invariant culture, null as <c>(null)</c>, sequences joined.</summary>
internal static class MessageValueText
{
    /// <summary>Writes the value of a hole.</summary>
    /// <exception cref="Exception">What user code throws; nothing or a part of the value is written then.</exception>
    public static void Write(ref Utf8Writer writer, in LogValue value, in MessagePart part)
    {
        switch (value.Kind)
        {
            case LogValueKind.String:
                MessageWriter.Write(ref writer, value.String);
                break;
            case LogValueKind.Int32 when part.Format is null:
                MessageWriter.WriteInteger(ref writer, value.Raw<int>());
                break;
            case LogValueKind.Int64 when part.Format is null:
                MessageWriter.WriteInteger(ref writer, value.Raw<long>());
                break;
            case LogValueKind.Double when part.FixedDigits >= 0:
                MessageWriter.WriteFixed(ref writer, value.Raw<double>(), part.FixedDigits, part.Format!);
                break;
            case LogValueKind.Null:
                MessageWriter.Write(ref writer, "(null)"u8);
                break;
            case LogValueKind.Enum:
                WriteEnum(ref writer, value, part.Format);
                break;
            case LogValueKind.Object:
                WriteObject(ref writer, value.Object!, part.Format);
                break;
            default:
                KnownType.Find(value.Kind)!.Write(ref writer, value.Bits, part.Format);
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

    private static void WriteEnum(ref Utf8Writer writer, in LogValue value, string? format)
    {
        var isNegative = value.Names.IsSigned && (long)value.EnumBits < 0;
        if (format is "D" or "d" && !isNegative)
            MessageWriter.WriteValue(ref writer, value.EnumBits, null);
        else if (value.Names.GetName(value.EnumBits) is var name && IsGeneral(format) && name[0] != '-')
            MessageWriter.Write(ref writer, name);
        else
            // .NET prints negative numbers of enums with the minus sign of the thread's culture, and so does MEL.
            MessageWriter.Write(ref writer, ((IFormattable)value.ToObject()!).ToString(format, CultureInfo.InvariantCulture));
    }

    private static bool IsGeneral(string? format) => string.IsNullOrEmpty(format) || format is "G" or "g";

    private static void WriteObject(ref Utf8Writer writer, object value, string? format)
    {
        if (value is IEnumerable items)
            WriteItems(ref writer, items);
        else if (value is not IUtf8SpanFormattable utf8 || !MessageWriter.TryWriteForeign(ref writer, utf8, format))
            WriteFormatted(ref writer, value, format);
    }

    private static void WriteFormatted(ref Utf8Writer writer, object value, string? format)
    {
        Span<char> room = stackalloc char[256];
        if (value is ISpanFormattable span && span.TryFormat(room, out var length, format, CultureInfo.InvariantCulture))
            MessageWriter.Write(ref writer, room[..length]);
        else if (value is IFormattable formattable)
            MessageWriter.Write(ref writer, formattable.ToString(format, CultureInfo.InvariantCulture));
        else
            MessageWriter.Write(ref writer, value.ToString());
    }

    private static void WriteItems(ref Utf8Writer writer, IEnumerable items)
    {
        var isFirst = true;
        foreach (var item in items)
        {
            if (!isFirst)
                MessageWriter.Write(ref writer, ", "u8);
            isFirst = false;
            MessageWriter.Write(ref writer, ItemText(item));
            // A sequence may be endless; what is beyond the limit is not stored anyway.
            if (MessageWriter.IsFull(ref writer))
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
