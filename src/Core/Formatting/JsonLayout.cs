using System.Text;

namespace AsyncLog;

/// <summary>The parts of a record in the JSON layout.</summary>
internal sealed class JsonLayout
{
    private const int StackMembers = 64;
    private const int LongestEscape = 6;
    private readonly TimestampFormat _timestamp;
    private readonly bool _withScopes;

    public JsonLayout(RecordLayout layout, TimeProvider timeProvider)
    {
        _timestamp = new TimestampFormat(layout.TimestampFormat ?? "O", layout.UseUtcTimestamp ? null : timeProvider, EscapeStyle.Json);
        _withScopes = layout.IncludeScopes ?? true;
        NewLine = Encoding.UTF8.GetBytes(layout.NewLine);
    }

    public static ReadOnlySpan<byte> ExceptionKey => ",\"Exception\":"u8;

    public static ReadOnlySpan<byte> StateKey => ",\"State\":"u8;

    public static ReadOnlySpan<byte> ScopesKey => ",\"Scopes\":"u8;

    public static ReadOnlySpan<byte> TemplateKey => "{OriginalFormat}"u8;

    public byte[] NewLine { get; }

    /// <summary>The scopes that are written.</summary>
    public int CountScopes(LogEvent logEvent) => _withScopes ? logEvent.ScopeCount : 0;

    /// <summary>Writes everything up to the key of the message; names from the application in at most <paramref name="most"/> bytes each.</summary>
    public void WriteHead(ref Utf8Writer writer, LogEvent logEvent, int most, FormatScratch scratch)
    {
        writer.Write("{\"Timestamp\":\""u8);
        WriteTimestamp(ref writer, logEvent);
        writer.Write("\",\"EventId\":"u8);
        writer.WriteValue(logEvent.EventId.Id);
        if (logEvent.EventId.Name is { Length: > 0 } name)
        {
            writer.Write(",\"EventName\":"u8);
            WriteName(ref writer, name, most, scratch);
        }
        writer.Write(",\"LogLevel\":\""u8);
        LevelNames.Write(ref writer, logEvent.Level, LevelNames.Utf8);
        writer.Write("\",\"Category\":"u8);
        if (logEvent.CategoryUtf8.Length <= most / LongestEscape)
            JsonText.WriteString(ref writer, logEvent.CategoryUtf8, EscapeStyle.Json);
        else
            WriteName(ref writer, logEvent.Category, most, scratch);
        writer.Write(",\"Message\":"u8);
    }

    public static void WriteTrace(ref Utf8Writer writer, LogEvent logEvent)
    {
        if (!logEvent.HasTrace)
            return;
        writer.Write(",\"TraceId\":\""u8);
        writer.Write(logEvent.TraceId.ToHexString());
        writer.Write("\",\"SpanId\":\""u8);
        writer.Write(logEvent.SpanId.ToHexString());
        writer.Write((byte)'"');
    }

    public static void WriteState(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch)
    {
        var properties = logEvent.Properties;
        if (properties.IsEmpty && logEvent.MessageTemplate is null)
            return;
        Span<bool> isLast = properties.Length <= StackMembers ? stackalloc bool[properties.Length] : new bool[properties.Length];
        if (PropertyNames.MarkLast(properties, isLast) == 0 && logEvent.MessageTemplate is null)
            return;
        writer.Write(StateKey);
        var opening = (byte)'{';
        WriteMembers(ref writer, properties, isLast, ref opening, scratch);
        if (logEvent.MessageTemplate is { } template)
        {
            writer.Write(opening);
            JsonText.WriteString(ref writer, TemplateKey, EscapeStyle.Json);
            writer.Write((byte)':');
            JsonText.WriteString(ref writer, scratch.Bounded(template), EscapeStyle.Json);
        }
        writer.Write((byte)'}');
    }

    public void WriteScopes(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch)
    {
        var count = CountScopes(logEvent);
        if (count == 0)
            return;
        writer.Write(ScopesKey);
        for (var i = 0; i < count; i++)
        {
            writer.Write(i == 0 ? (byte)'[' : (byte)',');
            WriteScope(ref writer, logEvent.GetScope(i), scratch);
        }
        writer.Write((byte)']');
    }

    public static void WriteScope(ref Utf8Writer writer, LogScope scope, FormatScratch scratch)
    {
        if (!scope.HasProperties)
        {
            JsonText.WriteString(ref writer, scope.Text, EscapeStyle.Json);
            return;
        }
        var properties = scope.Properties;
        Span<bool> isLast = properties.Length <= StackMembers ? stackalloc bool[properties.Length] : new bool[properties.Length];
        PropertyNames.MarkLast(properties, isLast);
        var opening = (byte)'{';
        if (PropertyNames.FindLast(properties, "Message") < 0)
        {
            writer.Write("{\"Message\":"u8);
            JsonText.WriteString(ref writer, scope.Text, EscapeStyle.Json);
            opening = (byte)',';
        }
        WriteMembers(ref writer, properties, isLast, ref opening, scratch);
        writer.Write((byte)'}');
    }

    public static void WriteMember(ref Utf8Writer writer, in LogProperty property, FormatScratch scratch)
    {
        JsonText.WriteString(ref writer, scratch.Bounded(property.Name), EscapeStyle.Json);
        writer.Write((byte)':');
        JsonText.Write(ref writer, property.Value, scratch);
    }

    private static void WriteMembers(
        ref Utf8Writer writer, scoped ReadOnlySpan<LogProperty> properties, scoped ReadOnlySpan<bool> isLast, ref byte opening, FormatScratch scratch)
    {
        for (var i = 0; i < properties.Length; i++)
        {
            if (!isLast[i])
                continue;
            writer.Write(opening);
            opening = (byte)',';
            WriteMember(ref writer, properties[i], scratch);
        }
    }

    private void WriteTimestamp(ref Utf8Writer writer, LogEvent logEvent)
        => _timestamp.Write(ref writer, logEvent.UtcTicks, logEvent.Scratch.Timestamps);

    private static void WriteName(ref Utf8Writer writer, string name, int most, FormatScratch scratch)
    {
        if (name.Length <= most / LongestEscape)
        {
            JsonText.WriteString(ref writer, name, EscapeStyle.Json);
            return;
        }
        scratch.Piece.Reset(most);
        var piece = new Utf8Writer(scratch.Piece);
        Escaping.Write(ref piece, scratch.Bounded(name), EscapeStyle.Json);
        piece.Flush();
        writer.Write((byte)'"');
        TextEnd.Write(ref writer, scratch.Piece.WrittenSpan, scratch.Piece.Total, most, EscapeStyle.Json);
        writer.Write((byte)'"');
    }
}
