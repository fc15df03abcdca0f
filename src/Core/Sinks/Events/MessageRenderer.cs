using System.Collections;
using System.Runtime.CompilerServices;
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
    public static int Render(MessageTemplate template, scoped in HoleValues values, RecordBuffer output, ref RecordBuffer? scratch)
    {
        var writer = new Utf8Writer(output);
        var errors = Render(template, values, ref writer, ref scratch);
        writer.Flush();
        return errors;
    }

    /// <summary>As above; the writer tells whether the message is plain.</summary>
    public static int Render(MessageTemplate template, scoped in HoleValues values, ref Utf8Writer writer, ref RecordBuffer? scratch)
    {
        var parts = template.Parts;
        var errors = 0;
        var next = 0;
        writer.IsPlain = template.IsPlain;
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
                LogValue room = default;
                WritePlaceholder(ref writer, hole < values.Count ? values.Get(hole, ref room).Object : null, exception);
                next++;
            }
        }
        writer.EndText();
        return errors;
    }

    /// <summary>The placeholder for what failed: the value's type, or what was thrown where that says more.</summary>
    public static string Placeholder(object? culprit, Exception exception)
    {
        var type = (culprit is null or IEnumerable ? exception : culprit).GetType();
        return $"<error: {type.FullName ?? type.Name}>";
    }

    private static void RenderParts(
        ref Utf8Writer writer, MessagePart[] parts, scoped in HoleValues values, ref RecordBuffer? scratch, ref int next)
    {
        LogValue room = default;
        for (; next < parts.Length; next++)
        {
            next = RenderPlain(ref writer, parts, values, next);
            if (next == parts.Length)
                return;
            ref readonly var part = ref parts[next];
            if (part.LiteralText is null)
                WriteLiteral(ref writer, in part.Literal);
            else
                MessageWriter.Write(ref writer, part.LiteralText);
            if (part.Hole < 0)
                continue;
            if (part.Hole >= values.Count)
                throw new FormatException("The template has more holes than the call has arguments.");
            if (part.Alignment != 0)
                WriteAligned(ref writer, values.Get(part.Hole, ref room), part, scratch ??= new RecordBuffer());
            else
                MessageValueText.Write(ref writer, in values.Get(part.Hole, ref room), in part);
        }
    }

    // Most messages to their end. The position is a local on the way: in the writer, each piece would wait for the one before to be stored.
    // Nothing here runs code of users or throws, so that a part is written as a whole or not at all.
    private static int RenderPlain(ref Utf8Writer writer, MessagePart[] parts, scoped in HoleValues values, int next)
    {
        var room = writer.Room;
        var used = 0;
        for (; next < parts.Length && room.Length - used >= Utf8Literal.Block + PlainValue.Room; next++)
        {
            ref readonly var part = ref parts[next];
            if (!part.IsShort)
                break;
            part.Literal.CopyBlockTo(room[used..]);
            var length = used + part.Literal.Length;
            if (part.Hole >= 0)
            {
                var written = part.Hole < values.Count ? values.TryWrite(room[length..], in part) : PlainValue.NotPlain;
                if (written < 0)
                    break;
                length += written;
            }
            used = length;
        }
        writer.Advance(used);
        return next;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteLiteral(ref Utf8Writer writer, in Utf8Literal literal)
    {
        if (literal.Length > 0)
            writer.EndText();
        writer.Write(in literal);
    }

    private static void WriteAligned(ref Utf8Writer writer, in LogValue value, in MessagePart part, RecordBuffer scratch)
    {
        var text = MessageValueText.TextOf(value, part.Format, writer.Output.Limit);
        int width;
        if (text is not null)
        {
            width = text.Length;
        }
        else
        {
            scratch.Reset(writer.Output.Limit);
            var inner = new Utf8Writer(scratch);
            MessageValueText.Write(ref inner, value, part);
            inner.EndText();
            inner.Flush();
            // A value that was cut is as wide as it may be.
            width = scratch.IsTruncated ? int.MaxValue : Encoding.UTF8.GetCharCount(scratch.WrittenSpan);
        }
        var padding = Math.Max(Math.Abs(part.Alignment) - width, 0);
        MessageWriter.Pad(ref writer, part.Alignment > 0 ? padding : 0);
        if (text is not null)
            MessageWriter.Write(ref writer, text);
        else
            MessageWriter.Write(ref writer, scratch.WrittenSpan);
        MessageWriter.Pad(ref writer, part.Alignment < 0 ? padding : 0);
    }

    private static void WritePlaceholder(ref Utf8Writer writer, object? culprit, Exception exception)
        => MessageWriter.Write(ref writer, Placeholder(culprit, exception));
}
