namespace AsyncLog;

/// <summary>The parts of a record in the JSON layout.</summary>
internal sealed class JsonLayout(RecordLayout layout, TimeProvider timeProvider)
    : JsonRecordLayout(layout, new TimestampFormat(layout.TimestampFormat ?? "O", layout.UseUtcTimestamp ? null : timeProvider, EscapeStyle.Json))
{
    private const string TemplateKey = "{OriginalFormat}";

    public override ReadOnlySpan<byte> ExceptionKey => ",\"Exception\":"u8;

    public override bool MergesScopes => false;

    public override string? TemplateName => TemplateKey;

    protected override ReadOnlySpan<byte> Start => "{\"Timestamp\":\""u8;

    protected override ReadOnlySpan<byte> Opening => ",\"State\":{"u8;

    protected override byte Closer => (byte)'}';

    public override void WriteHead(ref JsonWriter writer)
    {
        var logEvent = writer.Event;
        writer.Text.Write("\",\"EventId\":"u8);
        writer.Text.WriteNumber(logEvent.EventId.Id);
        if (logEvent.EventId.Name is { Length: > 0 } name)
        {
            writer.Text.Write(",\"EventName\":"u8);
            writer.WriteName(name);
        }
        writer.Text.Write(",\"LogLevel\":\""u8);
        LevelNames.Write(ref writer.Text, logEvent.Level, LevelNames.Utf8);
        writer.Text.Write("\",\"Category\":"u8);
        writer.WriteName(logEvent.Category);
        writer.Text.Write(",\"Message\":\""u8);
    }

    public override void WriteMiddle(ref JsonWriter writer)
        => WriteTrace(ref writer, ",\"TraceId\":\""u8, "\",\"SpanId\":\""u8);

    public override void WriteTail(ref JsonWriter writer)
    {
        // The trace is before the exception.
    }

    public override void WriteSource(ref JsonWriter writer)
    {
        // Category and event name are in the head.
    }

    public override void WriteScopes(ref JsonWriter writer)
    {
        var logEvent = writer.Event;
        var count = CountScopes(logEvent);
        for (var i = 0; i < count; i++)
        {
            writer.Text.Write(i == 0 ? ",\"Scopes\":["u8 : ","u8);
            writer.BeginValue();
            WriteScope(ref writer, logEvent.GetScope(i));
            writer.EndMember((byte)']');
        }
        if (count > 0)
            writer.Text.Write((byte)']');
    }

    public override bool IsFixedKey(string name) => true;

    protected override void WriteKey(ref JsonWriter writer, string name)
    {
        JsonText.WriteString(ref writer.Text, writer.Scratch.Bounded(name), EscapeStyle.Json);
        writer.Text.Write((byte)':');
    }

    protected override bool IsTaken(string name, LogEvent logEvent)
        => name == TemplateKey && logEvent.MessageTemplate is not null;

    protected override bool WriteTemplate(ref JsonWriter writer, scoped ReadOnlySpan<byte> separator)
    {
        if (writer.Event.MessageTemplate is not { } template)
            return false;
        WriteMember(ref writer, separator, new LogProperty(TemplateKey, LogValue.FromString(template)), Closer);
        return true;
    }

    // A truncated record keeps a scope as a whole or leaves it out.
    private void WriteScope(ref JsonWriter writer, LogScope scope)
    {
        if (!scope.HasProperties)
        {
            JsonText.WriteString(ref writer.Text, scope.Text, EscapeStyle.Json);
            return;
        }
        var properties = scope.Properties;
        Span<bool> isLast = properties.Length <= StackMembers ? stackalloc bool[properties.Length] : new bool[properties.Length];
        PropertyNames.MarkLast(properties, isLast);
        var separator = "{"u8;
        if (PropertyNames.FindLast(properties, "Message") < 0 && !scope.IsTypeName)
        {
            writer.Text.Write("{\"Message\":"u8);
            JsonText.WriteString(ref writer.Text, scope.Text, EscapeStyle.Json);
            separator = ","u8;
        }
        for (var i = 0; i < properties.Length; i++)
        {
            if (!isLast[i])
                continue;
            WritePair(ref writer, separator, properties[i]);
            separator = ","u8;
        }
        if (scope.MessageTemplate is { } template)
        {
            WritePair(ref writer, separator, new LogProperty(TemplateKey, LogValue.FromString(template)));
            separator = ","u8;
        }
        writer.Text.Write(separator is [(byte)'{'] ? "{}"u8 : "}"u8);
    }
}
