using System.Collections;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace AsyncLog;

/// <summary>Renders a message template with its arguments to UTF-8.</summary>
internal static class MessageRenderer
{
    /// <summary>Writes the message and returns the number of error placeholders in it.</summary>
    /// <param name="arguments">A value for each argument, in order; a missing one becomes a placeholder.</param>
    /// <param name="writer">The destination; its <see cref="Utf8Writer.IsPlain"/> is set to whether the message is known to be printable ASCII.</param>
    public static int Render(MessageTemplate template, scoped in TemplateArguments arguments, ref Utf8Writer writer, FormatScratch scratch)
    {
        writer.IsPlain = template.IsPlain;
        var next = WriteFast(ref writer, template, arguments, 0);
        // Most messages end here.
        return next == template.Parts.Length ? 0 : RenderRest(template, arguments, ref writer, scratch, next);
    }

    private static int RenderRest(MessageTemplate template, scoped in TemplateArguments arguments, ref Utf8Writer writer, FormatScratch scratch, int next)
    {
        var parts = template.Parts;
        var errors = 0;
        while (next < parts.Length)
        {
            try
            {
                WriteParts(ref writer, template, arguments, scratch, ref next, ref errors);
            }
            catch (Exception exception)
            {
                errors++;
                var argument = parts[next].Argument;
                LogValue room = default;
                MessageWriter.Write(ref writer, Placeholder(argument < arguments.Count ? arguments.Get(argument, ref room).Object : null, exception));
                next++;
            }
        }
        writer.EndText();
        return errors;
    }

    /// <summary>The text that replaces a value that threw: the type of the value, or of the exception if the value is null or a sequence.</summary>
    public static string Placeholder(object? culprit, Exception exception)
    {
        var type = (culprit is null or IEnumerable ? exception : culprit).GetType();
        return $"<error: {type.FullName ?? type.Name}>";
    }

    private static void WriteParts(
        ref Utf8Writer writer, MessageTemplate template, scoped in TemplateArguments arguments, FormatScratch scratch, ref int next, ref int errors)
    {
        LogValue room = default;
        for (var parts = template.Parts; next < parts.Length; next++)
        {
            next = WriteFast(ref writer, template, arguments, next);
            if (next == parts.Length)
                return;
            ref readonly var part = ref parts[next];
            if (part.LiteralText is null)
                WriteLiteral(ref writer, in part.Literal);
            else
                MessageWriter.Write(ref writer, part.LiteralText);
            if (part.Argument < 0)
                continue;
            if (part.Argument >= arguments.Count)
                throw new FormatException("The template has more placeholders than the call has arguments.");
            errors += WriteValue(ref writer, in arguments.Get(part.Argument, ref room), in part, scratch);
        }
    }

    // Runs no user code and does not throw: a part is written as a whole or not at all.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int WriteFast(ref Utf8Writer writer, MessageTemplate template, scoped in TemplateArguments arguments, int next)
    {
        next = arguments.WriteFast(template, next, writer.Room, out var written);
        writer.Advance(written);
        return next;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteLiteral(ref Utf8Writer writer, in Utf8Literal literal)
    {
        if (literal.Length > 0)
            writer.EndText();
        writer.Write(in literal);
    }

    /// <summary>Writes the value of an argument; returns the number of error placeholders in it.</summary>
    /// <exception cref="Exception">An exception of user code, or of a format; nothing or a part of the value was written then.</exception>
    public static int WriteValue(ref Utf8Writer writer, in LogValue value, in MessagePart part, FormatScratch scratch)
        => part.Alignment != 0 ? WriteAligned(ref writer, value, part, scratch) : MessageValue.Write(ref writer, in value, in part, scratch);

    private static int WriteAligned(ref Utf8Writer writer, in LogValue value, in MessagePart part, FormatScratch scratch)
    {
        var text = MessageValue.TextOf(value, part.Format, writer.Output.Limit, scratch);
        var aligned = scratch.Messages.Aligned;
        var errors = 0;
        int width;
        if (text is not null)
        {
            width = text.Length;
        }
        else
        {
            aligned.Reset(writer.Output.Limit);
            var inner = new Utf8Writer(aligned);
            errors = MessageValue.Write(ref inner, value, part, scratch);
            inner.EndText();
            inner.Flush();
            // A truncated value counts as wide as the limit allows.
            width = aligned.IsTruncated ? int.MaxValue : Encoding.UTF8.GetCharCount(aligned.WrittenSpan);
        }
        var padding = Math.Max(Math.Abs(part.Alignment) - width, 0);
        MessageWriter.Pad(ref writer, part.Alignment > 0 ? padding : 0);
        if (text is not null)
            MessageWriter.Write(ref writer, text);
        else
            MessageWriter.Write(ref writer, aligned.WrittenSpan);
        MessageWriter.Pad(ref writer, part.Alignment < 0 ? padding : 0);
        return errors;
    }
}

/// <summary>Writes one value as MEL's formatter does: <c>string.Format</c> in the invariant culture, null as <c>(null)</c>, sequences joined; but JSON as compact JSON.</summary>
internal static class MessageValue
{
    /// <summary>Writes the value of an argument; returns the number of error placeholders in it.</summary>
    /// <exception cref="Exception">An exception of user code; nothing or a part of the value was written then.</exception>
    public static int Write(ref Utf8Writer writer, in LogValue value, in MessagePart part, FormatScratch scratch)
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
                return WriteObject(ref writer, value.Object!, part.Format, scratch);
            case LogValueKind.Json:
                WriteJson(ref writer, value.Json, scratch);
                break;
            default:
                KnownType.Find(value.Kind)!.Write(ref writer, value.Bits, part.Format);
                break;
        }
        return 0;
    }

    /// <summary>The text of a value that may begin or end with half a surrogate pair; null for values whose text is whole runes.</summary>
    /// <exception cref="Exception">Any exception of user code.</exception>
    public static string? TextOf(in LogValue value, string? format, int limit, FormatScratch scratch) => value.Kind switch
    {
        LogValueKind.String => value.String,
        LogValueKind.Char => value.Raw<char>().ToString(),
        LogValueKind.Object => value.Object switch
        {
            { } json when KeyedPairs.IsJson(json) => null,
            IEnumerable items => Join(SequenceReads.Of(items, scratch), limit),
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

    private static int WriteObject(ref Utf8Writer writer, object value, string? format, FormatScratch scratch)
    {
        if (KeyedPairs.IsJson(value))
            return WriteJson(ref writer, value, scratch);
        if (value is IEnumerable items)
            WriteItems(ref writer, SequenceReads.Of(items, scratch));
        else if (value is not IUtf8SpanFormattable utf8 || !MessageWriter.TryWriteForeign(ref writer, utf8, format))
            WriteFormatted(ref writer, value, format);
        return 0;
    }

    private static void WriteJson(ref Utf8Writer writer, ReadOnlySpan<byte> json, FormatScratch scratch)
    {
        if (json is not [(byte)'"', ..])
        {
            MessageWriter.Write(ref writer, json);
            return;
        }
        var output = scratch.Messages.NewValue();
        JsonText.AppendText(json, output);
        MessageWriter.Write(ref writer, output.WrittenRunes);
    }

    private static int WriteJson(ref Utf8Writer writer, object value, FormatScratch scratch)
    {
        var inner = scratch.Messages;
        inner.Want(writer.Output.Limit);
        var output = inner.NewValue();
        ValueText.Append(LogValue.FromObject(value), output, inner);
        MessageWriter.Write(ref writer, output.WrittenRunes);
        return inner.Errors;
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
            // A sequence may be endless; bytes beyond the limit are not stored.
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
