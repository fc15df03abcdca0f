using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>The three attributes of an exception (OpenTelemetry semantic conventions for exceptions in logs).</summary>
/// <param name="attributes">Knows the application's own attributes, which win.</param>
/// <param name="values">Writes values.</param>
internal sealed class ExceptionAttributes(AttributeWriter attributes, AttributeValues values)
{
    private const string TypeKey = "exception.type";
    private const string MessageKey = "exception.message";
    private const string StackTraceKey = "exception.stacktrace";

    /// <summary>Takes what the exception says, as far as the count of attributes allows.</summary>
    public ExceptionTexts Take(LogEvent logEvent, ref AttributeTally tally)
    {
        // A record that was buffered may lack any of the three.
        return new ExceptionTexts(
            Wanted(logEvent, TypeKey, logEvent.ExceptionType, ref tally),
            Wanted(logEvent, MessageKey, logEvent.ExceptionMessage, ref tally),
            Wanted(logEvent, StackTraceKey, TextOf(logEvent), ref tally));
    }

    /// <summary>Writes all of it.</summary>
    public void Write(ref ProtoWriter writer, in ExceptionTexts texts)
    {
        Write(ref writer, TypeKey, texts.Type);
        Write(ref writer, MessageKey, texts.Message);
        Write(ref writer, StackTraceKey, texts.StackTrace);
    }

    /// <summary>What all of it takes at most.</summary>
    public long SizeOf(in ExceptionTexts texts) => SizeOf(TypeKey, texts.Type) + SizeOf(MessageKey, texts.Message) + SizeOf(StackTraceKey, texts.StackTrace);

    /// <summary>Writes what fits into so many bytes: strings are cut, the last ones first.</summary>
    /// <returns>Attributes that had no room at all.</returns>
    public int WriteCut(ref ProtoWriter writer, in ExceptionTexts texts, int budget)
    {
        var end = writer.Position + budget;
        var leftOut = WriteCut(ref writer, TypeKey, texts.Type, end - writer.Position);
        // The stack trace begins with type and message: half of the room is enough for the message alone.
        var left = end - writer.Position;
        leftOut += WriteCut(ref writer, MessageKey, texts.Message, SizeOf(StackTraceKey, texts.StackTrace) > left / 2 ? left / 2 : left);
        return leftOut + WriteCut(ref writer, StackTraceKey, texts.StackTrace, end - writer.Position);
    }

    private int WriteCut(ref ProtoWriter writer, string key, string? text, int budget) =>
        text is null || TextAttribute.TryWrite(ref writer, Encoding.UTF8.GetBytes(key), Utf8Of(text), budget) ? 0 : 1;

    private long SizeOf(string key, string? text) => text is null ? 0 : TextAttribute.Overhead + key.Length + Encoding.UTF8.GetByteCount(values.Bounded(text));

    private byte[] Utf8Of(string text)
    {
        var bounded = values.Bounded(text);
        var utf8 = new byte[Encoding.UTF8.GetByteCount(bounded)];
        Encoding.UTF8.GetBytes(bounded, utf8);
        return utf8;
    }

    private string? Wanted(LogEvent logEvent, string key, string? text, ref AttributeTally tally)
        => text is not null && !attributes.HasKey(logEvent, key) && tally.TryTake() ? text : null;

    private void Write(ref ProtoWriter writer, string key, string? text)
    {
        if (text is null)
            return;
        var start = writer.Open(OtlpTag.Attribute, text.Length);
        writer.WriteText(OtlpTag.Key, key);
        values.WriteText(ref writer, OtlpTag.Value, text);
        writer.Close(start, text.Length);
    }

    // In the language of no user, so that receivers can group by it.
    [SuppressMessage("ApiDesign", "RS0030", Justification = "Set to the invariant one for the length of one call, which knows no parameter for it.")]
    private static string? TextOf(LogEvent logEvent)
    {
        var culture = CultureInfo.CurrentUICulture;
        if (ReferenceEquals(culture, CultureInfo.InvariantCulture))
            return logEvent.ExceptionStackTrace;
        CultureInfo.CurrentUICulture = CultureInfo.InvariantCulture;
        try
        {
            return logEvent.ExceptionStackTrace;
        }
        finally
        {
            CultureInfo.CurrentUICulture = culture;
        }
    }
}
