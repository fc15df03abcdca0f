using System.Text;

namespace AsyncLog;

/// <summary>The body of a record: the message, or the template.</summary>
/// <param name="isMessage">Whether it is the message, also where there is a template.</param>
internal sealed class RecordBody(bool isMessage)
{
    /// <summary>Writes all of it; nothing when the formatter gave null.</summary>
    public void Write(ref ProtoWriter writer, LogEvent logEvent)
    {
        if (!isMessage && logEvent.MessageTemplate is { } template)
            writer.WriteNestedStanding(OtlpTag.Body, OtlpTag.Text, template);
        else if (!logEvent.IsMessageNull)
            writer.WriteNested(OtlpTag.Body, OtlpTag.Text, logEvent.Message);
    }

    /// <summary>The length of its text.</summary>
    public long LengthOf(LogEvent logEvent) =>
        !isMessage && logEvent.MessageTemplate is { } template ? Encoding.UTF8.GetByteCount(template)
        : logEvent.IsMessageNull ? 0
        : logEvent.MessageLength;

    /// <summary>Writes at most so many bytes of its text.</summary>
    public void WriteCut(ref ProtoWriter writer, LogEvent logEvent, int most)
    {
        var isTemplate = !isMessage && logEvent.MessageTemplate is not null;
        if (!isTemplate && logEvent.IsMessageNull)
            return;
        var text = isTemplate ? Encoding.UTF8.GetBytes(logEvent.MessageTemplate!) : logEvent.Message;
        var start = writer.Open(OtlpTag.Body);
        TextAttribute.WriteText(ref writer, OtlpTag.Text, text, LengthOf(logEvent), most);
        writer.Close(start);
    }
}
