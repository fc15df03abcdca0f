namespace AsyncLog;

/// <summary>The parts of a record in the JSON layout.</summary>
internal sealed class JsonLayout(RecordLayout layout, TimeProvider timeProvider)
    : JsonRecordLayout(layout, new TimestampFormat(layout.TimestampFormat ?? "O", layout.UseUtcTimestamp ? null : timeProvider, EscapeStyle.Json))
{
    private const string TemplateKey = "{OriginalFormat}";

    public override ReadOnlySpan<byte> ExceptionKey => ",\"Exception\":"u8;

    protected override ReadOnlySpan<byte> Start => "{\"Timestamp\":\""u8;

    protected override ReadOnlySpan<byte> Opening => ",\"State\":{"u8;

    protected override byte Closer => (byte)'}';

    public override void WriteHead(ref Utf8Writer writer, LogEvent logEvent, int most, FormatScratch scratch)
    {
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
        WriteName(ref writer, logEvent.Category, most, scratch);
        writer.Write(",\"Message\":\""u8);
    }

    public override void WriteMiddle(ref Utf8Writer writer, LogEvent logEvent)
        => WriteTrace(ref writer, logEvent, ",\"TraceId\":\""u8, "\",\"SpanId\":\""u8);

    public override void WriteTail(ref Utf8Writer writer, LogEvent logEvent)
    {
        // The trace stands before the exception.
    }

    public override void WriteSource(ref Utf8Writer writer, LogEvent logEvent, int most, FormatScratch scratch)
    {
        // Category and event name stand in the head.
    }

    public override void WriteScopes(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch)
    {
        var count = CountScopes(logEvent);
        for (var i = 0; i < count; i++)
        {
            scratch.Marks?.Begin(writer.Position);
            writer.Write(i == 0 ? ",\"Scopes\":["u8 : ","u8);
            scratch.Marks?.BeginValue(writer.Position);
            WriteScope(ref writer, logEvent, logEvent.GetScope(i), scratch);
            scratch.Marks?.End(writer.Position, (byte)']');
        }
        if (count > 0)
            writer.Write((byte)']');
    }

    public override bool IsFixedKey(string name) => true;

    protected override void WriteKey(ref Utf8Writer writer, string name, LogEvent logEvent, FormatScratch scratch)
    {
        JsonText.WriteString(ref writer, scratch.Bounded(name), EscapeStyle.Json);
        writer.Write((byte)':');
    }

    protected override bool IsTaken(string name, LogEvent logEvent)
        => name == TemplateKey && logEvent.MessageTemplate is not null;

    protected override bool WriteTemplate(ref Utf8Writer writer, LogEvent logEvent, scoped ReadOnlySpan<byte> separator, FormatScratch scratch)
    {
        if (logEvent.MessageTemplate is not { } template)
            return false;
        WriteMember(ref writer, separator, new LogProperty(TemplateKey, LogValue.FromString(template)), Closer, logEvent, scratch);
        return true;
    }

    private void WriteScope(ref Utf8Writer writer, LogEvent logEvent, LogScope scope, FormatScratch scratch)
    {
        if (!scope.HasProperties)
        {
            JsonText.WriteString(ref writer, scope.Text, EscapeStyle.Json);
            return;
        }
        // A scope is left out whole or not at all, so what is inside is nobody's business.
        var marks = scratch.Marks;
        scratch.Marks = null;
        var properties = scope.Properties;
        Span<bool> isLast = properties.Length <= StackMembers ? stackalloc bool[properties.Length] : new bool[properties.Length];
        PropertyNames.MarkLast(properties, isLast);
        var separator = "{"u8;
        if (PropertyNames.FindLast(properties, "Message") < 0)
        {
            writer.Write("{\"Message\":"u8);
            JsonText.WriteString(ref writer, scope.Text, EscapeStyle.Json);
            separator = ","u8;
        }
        for (var i = 0; i < properties.Length; i++)
        {
            if (!isLast[i])
                continue;
            WriteMember(ref writer, separator, properties[i], 0, logEvent, scratch);
            separator = ","u8;
        }
        if (scope.MessageTemplate is { } template)
            WriteMember(ref writer, separator, new LogProperty(TemplateKey, LogValue.FromString(template)), 0, logEvent, scratch);
        writer.Write((byte)'}');
        scratch.Marks = marks;
    }
}
