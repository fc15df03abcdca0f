using System.Collections;
using System.Text;

namespace AsyncLog;

/// <summary>Renders a template with its values straight to UTF-8.</summary>
internal static class MessageRenderer
{
    /// <summary>Appends the message and returns the number of placeholders in it.</summary>
    /// <param name="template">The template.</param>
    /// <param name="values">A value for each hole, in order; a missing one becomes a placeholder.</param>
    /// <param name="output">Where the message goes.</param>
    /// <param name="scratch">Where values that have to be aligned are measured; taken from the event on first need.</param>
    public static int Render(MessageTemplate template, ReadOnlySpan<LogProperty> values, RecordBuffer output, ref RecordBuffer? scratch)
    {
        var writer = new MessageWriter(output);
        var parts = template.Parts;
        var errors = 0;
        var next = 0;
        while (next < parts.Length)
        {
            try
            {
                RenderParts(ref writer, parts, values, ref scratch, ref next);
            }
            catch (Exception exception)
            {
                errors++;
                var hole = parts[next].Hole;
                WritePlaceholder(ref writer, hole < values.Length ? values[hole].Value.Object : null, exception);
                next++;
            }
        }
        writer.Flush();
        return errors;
    }

    /// <summary>The placeholder for what failed: the value's type, or what was thrown where that says more.</summary>
    public static string Placeholder(object? culprit, Exception exception)
    {
        var type = (culprit is null or IEnumerable ? exception : culprit).GetType();
        return $"<error: {type.FullName ?? type.Name}>";
    }

    private static void RenderParts(
        ref MessageWriter writer, MessagePart[] parts, ReadOnlySpan<LogProperty> values, ref RecordBuffer? scratch, ref int next)
    {
        for (; next < parts.Length; next++)
        {
            ref readonly var part = ref parts[next];
            if (part.LiteralText is null)
                writer.Write(part.Literal);
            else
                writer.Write(part.LiteralText);
            if (part.Hole < 0)
                continue;
            if (part.Hole >= values.Length)
                throw new FormatException("The template has more holes than the call has arguments.");
            if (part.Alignment == 0)
                MessageValueText.Write(ref writer, in values[part.Hole].ValueRef, in part);
            else
                WriteAligned(ref writer, values[part.Hole].Value, part, scratch ??= new RecordBuffer());
        }
    }

    private static void WriteAligned(ref MessageWriter writer, in LogValue value, in MessagePart part, RecordBuffer scratch)
    {
        var text = MessageValueText.TextOf(value, part.Format, writer.Limit);
        int width;
        if (text is not null)
        {
            width = text.Length;
        }
        else
        {
            scratch.Reset(writer.Limit);
            var inner = new MessageWriter(scratch);
            MessageValueText.Write(ref inner, value, part);
            inner.Flush();
            // A value that was cut is as wide as it may be.
            width = scratch.IsCut ? int.MaxValue : Encoding.UTF8.GetCharCount(scratch.WrittenSpan);
        }
        var padding = Math.Max(Math.Abs(part.Alignment) - width, 0);
        writer.Pad(part.Alignment > 0 ? padding : 0);
        if (text is not null)
            writer.Write(text);
        else
            writer.Write(scratch.WrittenSpan);
        writer.Pad(part.Alignment < 0 ? padding : 0);
    }

    private static void WritePlaceholder(ref MessageWriter writer, object? culprit, Exception exception)
        => writer.Write(Placeholder(culprit, exception));
}
