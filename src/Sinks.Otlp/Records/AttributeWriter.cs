namespace AsyncLog;

/// <summary>Writes the attributes of a record that come from the event: state, template, scopes from outer to inner.</summary>
/// <param name="values">Writes values.</param>
/// <param name="withTemplate">Whether the message template is an attribute.</param>
/// <param name="withScopes">Whether scopes are written.</param>
/// <param name="recordSize">The most bytes of a record.</param>
internal sealed class AttributeWriter(AttributeValues values, bool withTemplate, bool withScopes, int recordSize)
{
    private const string EventIdKey = "logrecord.event.id";
    private const string TemplateKey = "{OriginalFormat}";

    /// <summary>Whether the application's own properties, and scopes, have a key.</summary>
    public bool HasKey(LogEvent logEvent, string key)
    {
        if (Contains(logEvent.AllProperties, key))
            return true;
        var scopes = withScopes ? logEvent.ScopeCount : 0;
        for (var i = 0; i < scopes; i++)
        {
            if (Contains(logEvent.GetScope(i).Properties, key))
                return true;
        }

        return false;
    }

    /// <summary>Writes the number of the event id.</summary>
    public void WriteEventId(ref ProtoWriter writer, LogEvent logEvent, ref AttributeTally tally)
    {
        var number = logEvent.EventId.Id;
        if (number == 0 || HasKey(logEvent, EventIdKey) || !tally.TryTake())
            return;
        var start = writer.Open(OtlpTag.Attribute);
        writer.WriteText(OtlpTag.Key, EventIdKey);
        AttributeValues.WriteInt(ref writer, OtlpTag.Value, number);
        writer.Close(start);
    }

    /// <summary>Writes state, template and scopes. Stops writing, but not counting, where the record is full.</summary>
    public void Write(ref ProtoWriter writer, LogEvent logEvent, ref AttributeTally tally, OtlpScratch scratch)
    {
        var first = writer.Position;
        var state = logEvent.AllProperties;
        var scopes = withScopes ? logEvent.ScopeCount : 0;
        if (scopes > 0 || !AttributeSelection.IsShort(state.Length))
        {
            WriteSelected(ref writer, first, logEvent, scopes, ref tally, scratch);
            return;
        }

        for (var i = 0; i < state.Length; i++)
        {
            if (AttributeSelection.IsLast(state, i))
                WriteProperty(ref writer, first, state[i], logEvent, ref tally, scratch);
        }

        WriteTemplate(ref writer, first, logEvent, ref tally, scratch);
    }

    private static bool Contains(ReadOnlySpan<LogProperty> properties, string key)
    {
        foreach (ref readonly var property in properties)
        {
            if (string.Equals(property.Name, key, StringComparison.Ordinal))
                return true;
        }

        return false;
    }

    private void WriteSelected(ref ProtoWriter writer, int first, LogEvent logEvent, int scopes, ref AttributeTally tally, OtlpScratch scratch)
    {
        var selection = scratch.Selection;
        try
        {
            selection.Decide(logEvent, scopes);
            var number = 0;
            foreach (ref readonly var property in logEvent.AllProperties)
            {
                if (selection.IsWanted(number++))
                    WriteProperty(ref writer, first, property, logEvent, ref tally, scratch);
            }

            WriteTemplate(ref writer, first, logEvent, ref tally, scratch);
            for (var i = 0; i < scopes; i++)
            {
                foreach (ref readonly var property in logEvent.GetScope(i).Properties)
                {
                    if (selection.IsWanted(number++))
                        WriteProperty(ref writer, first, property, logEvent, ref tally, scratch);
                }
            }
        }
        finally
        {
            selection.Clear();
        }
    }

    private void WriteTemplate(ref ProtoWriter writer, int first, LogEvent logEvent, ref AttributeTally tally, OtlpScratch scratch)
    {
        if (withTemplate && logEvent.MessageTemplate is { } template)
            WriteProperty(ref writer, first, new LogProperty(TemplateKey, LogValue.From(template)), logEvent, ref tally, scratch, isStanding: true);
    }

    private void WriteProperty(
        ref ProtoWriter writer, int first, in LogProperty property, LogEvent logEvent, ref AttributeTally tally, OtlpScratch scratch, bool isStanding = false)
    {
        if (!tally.TryTake())
            return;
        if (writer.Position - first > recordSize)
        {
            tally.Dropped++;
            return;
        }

        var start = writer.Open(OtlpTag.Attribute);
        if (StandingTexts.Find(property.Name) is { } key)
            writer.WriteBytes(OtlpTag.Key, key);
        else
            writer.WriteText(OtlpTag.Key, TextCutting.Start(property.Name, recordSize));
        var keyEnd = writer.Position;
        var value = property.Value;
        if (isStanding)
            values.WriteStanding(ref writer, OtlpTag.Value, value.String!);
        else
            values.Write(ref writer, OtlpTag.Value, value, 1, logEvent, scratch);
        var valueLength = writer.Position - keyEnd;
        var keyLength = keyEnd - start;
        writer.Close(start);
        if (scratch.IsMarking)
            scratch.Marks.Add(MarkOf(writer, first, keyLength, valueLength, value.Kind == LogValueKind.String));
    }

    private static AttributeMark MarkOf(in ProtoWriter writer, int first, int keyFieldLength, int valueLength, bool isText)
    {
        var end = writer.Position;
        var keyFieldEnd = end - valueLength;
        var keyField = writer.Written[(keyFieldEnd - keyFieldLength)..keyFieldEnd];
        var keyLength = keyFieldLength - HeaderOf(keyField);
        if (!isText)
            return new AttributeMark(end - first, keyFieldEnd - keyLength - first, keyLength, -1);
        // Two headers before the text: that of the value and that of the string in it.
        var text = keyFieldEnd + HeaderOf(writer.Written[keyFieldEnd..]);
        text += HeaderOf(writer.Written[text..]);
        return new AttributeMark(end - first, keyFieldEnd - keyLength - first, keyLength, text - first);
    }

    // Tag and length.
    private static int HeaderOf(ReadOnlySpan<byte> field)
    {
        var length = 2;
        while (field[length - 1] > 0x7F)
            length++;
        return length;
    }
}
