using System.Numerics;

namespace AsyncLog;

/// <summary>The text of a value in a property, always in the invariant culture and not yet escaped.</summary>
internal static class ValueText
{
    /// <summary>Writes a value whose text is plain ASCII without anything to escape; false, and nothing written, for other kinds.</summary>
    public static bool TryWriteClean(ref Utf8Writer writer, in LogValue value)
    {
        switch (value.Kind)
        {
            case LogValueKind.Null:
                return true;
            case LogValueKind.Int32:
                writer.WriteValue(value.Raw<int>());
                return true;
            case LogValueKind.Int64:
                writer.WriteValue(value.Raw<long>());
                return true;
            case LogValueKind.Double:
                writer.WriteNumber(value.Raw<double>());
                return true;
            case LogValueKind.Boolean:
                writer.Write(value.Raw<bool>() ? "true"u8 : "false"u8);
                return true;
            case LogValueKind.String or LogValueKind.Char or LogValueKind.Enum or LogValueKind.Object or LogValueKind.Json:
                return false;
            default:
                var type = KnownType.Find(value.Kind)!;
                type.Write(ref writer, value.Bits, type.Format);
                return true;
        }
    }

    /// <summary>Appends the text of a value of any kind.</summary>
    public static void Append(in LogValue value, RecordBuffer output, FormatScratch scratch)
    {
        if (value.Kind == LogValueKind.Object)
        {
            var item = value.Object!;
            if (JsonText.IsContainer(item))
                JsonText.AppendContainer(item, output, EscapeStyle.CompactJson, scratch);
            else if (KeyedPairs.IsJson(item))
                JsonText.AppendText(item, output, scratch);
            else
                ObjectText.Append(item, null, output, scratch);
            return;
        }
        if (value.Kind == LogValueKind.Json)
        {
            JsonText.AppendText(value.Json, output);
            return;
        }
        var writer = new Utf8Writer(output);
        if (!TryWriteClean(ref writer, value))
            WriteText(ref writer, value, scratch);
        writer.Flush();
    }

    /// <summary>Appends the text of a value in a format of its type, or as without format when the type supports none.</summary>
    public static void AppendFormatted(in LogValue value, string format, RecordBuffer output, FormatScratch scratch)
    {
        var item = value.Kind is LogValueKind.String or LogValueKind.Boolean or LogValueKind.Json ? null : value.ToObject();
        if (item is not IFormattable || JsonText.IsContainer(item))
            Append(value, output, scratch);
        else
            ObjectText.Append(item, format, output, scratch);
    }

    /// <summary>Returns true if the text is a JSON number: an integer of any width, a decimal or a finite float.</summary>
    public static bool IsJsonNumber(in LogValue value) => value.Kind switch
    {
        LogValueKind.Half => Half.IsFinite(value.Raw<Half>()),
        LogValueKind.Single => float.IsFinite(value.Raw<float>()),
        LogValueKind.Double => double.IsFinite(value.Raw<double>()),
        LogValueKind.Object => value.Object is BigInteger,
        _ => KnownType.Find(value.Kind) is { IsNumber: true },
    };

    private static void WriteText(ref Utf8Writer writer, in LogValue value, FormatScratch scratch)
    {
        if (value.Kind == LogValueKind.String)
            writer.Write(scratch.Bounded(value.String!));
        else if (value.Kind == LogValueKind.Char)
            writer.Write([value.Raw<char>()]);
        else
            writer.Write(value.Names.GetName(value.EnumBits));
    }
}
