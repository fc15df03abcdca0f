namespace AsyncLog;

/// <summary>Makes what writes the records of one call in the layouts JSON and CLEF.</summary>
internal static class JsonCall
{
    // A call with more is rendered in full each time.
    private const int MaxBytes = 16 * 1024;

    /// <summary>Merges all that is constant in the records of a call into its message template.</summary>
    /// <param name="logEvent">An event of the call.</param>
    /// <param name="message">The template of the message; <see cref="MessageTemplate.OfText"/> for a call without arguments.</param>
    /// <returns>Null if the records depend on more than their values.</returns>
    public static TemplateCall? Create(LogEvent logEvent, MessageTemplate message, StateValues values, JsonRecordLayout layout, int maxRecordSize, FormatScratch scratch)
    {
        var isText = ReferenceEquals(message, MessageTemplate.OfText);
        var properties = logEvent.Properties;
        if (message.Escaped(EscapeStyle.Json) is not { } escaped || !HaveFixedKeys(properties, layout))
            return null;
        var buffer = new RecordBuffer();
        var writer = new JsonWriter(buffer, logEvent, scratch);
        layout.WriteHead(ref writer);
        var head = Take(ref writer, buffer);
        var keys = new List<Utf8Literal>();
        layout.WriteSource(ref writer);
        for (var i = 0; i < properties.Length; i++)
        {
            layout.WriteKey(ref writer, isFirst: i == 0, properties[i].Name);
            keys.Add(Take(ref writer, buffer));
        }

        if (isText && layout.TemplateName is { } name)
        {
            layout.WriteKey(ref writer, layout.WriteConstants(ref writer, isFirst: true), name);
            keys.Add(Take(ref writer, buffer));
            layout.WriteClose(ref writer);
        }
        else
        {
            layout.WriteAfterProperties(ref writer, isFirst: properties.IsEmpty);
        }

        keys.Add(Take(ref writer, buffer));
        if (head.Length + keys.Sum(static key => key.Length) > MaxBytes)
            return null;
        var text = escaped.ToJsonString().With([new MessagePart(head.Span)], [new MessagePart("\""u8)]);
        var members = message.ToJsonTemplate([.. keys]).Parts;
        var end = new MessagePart(layout.End);
        return new TemplateCall(layout.Beginning, layout.Timestamp, EscapeStyle.Json, maxRecordSize, new CallText(text.With([], [.. members, end]), values))
        {
            Layout = layout,
            Inside = new CallText(text.With([], [new MessagePart([], JsonRecordLayout.TraceInsert), .. members, new MessagePart([], JsonRecordLayout.ScopesInsert), end]), values),
            Names = layout.MergesScopes ? message.Names : [],
            RefusesArguments = isText && layout.TemplateName is null,
        };
    }

    // True if each name is the key of one member, whatever else is in the record.
    private static bool HaveFixedKeys(ReadOnlySpan<LogProperty> properties, JsonRecordLayout layout)
    {
        var areFixed = PropertyNames.MarkLast(properties, new bool[properties.Length]) == properties.Length;
        foreach (ref readonly var property in properties)
            areFixed &= layout.IsFixedKey(property.Name);
        return areFixed;
    }

    // Removes and returns the bytes written since the last call.
    private static Utf8Literal Take(ref JsonWriter writer, RecordBuffer buffer)
    {
        writer.Text.Flush();
        var taken = new Utf8Literal(buffer.WrittenSpan);
        buffer.Reset(int.MaxValue);
        writer.Text = new Utf8Writer(buffer);
        return taken;
    }
}
