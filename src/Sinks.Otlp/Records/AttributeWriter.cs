using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace AsyncLog;

/// <summary>Writes the attributes of a record: event id, exception, then state, template and scopes from outer to inner.</summary>
/// <param name="withTemplate">True if the message template is an attribute.</param>
/// <param name="withScopes">True if scopes are written.</param>
/// <param name="recordSize">The most bytes of a record.</param>
internal sealed class AttributeWriter(AttributeValues values, bool withTemplate, bool withScopes, int recordSize)
{
    private const string EventIdKey = "logrecord.event.id";

    // Those of the library: event id and template.
    private const int OwnAttributes = 2;

    public AttributeValues Values => values;

    public bool WithScopes => withScopes;

    /// <summary>Returns true if an event has a name of its own for each property, and no scope has that of the event id: then other values make no other attributes.</summary>
    /// <param name="limit">The most attributes.</param>
    public bool CanRepeat(LogEvent logEvent, int limit)
    {
        var properties = logEvent.Properties;
        if ((withScopes && logEvent.ScopeCount > 0 && HasKey(logEvent, EventIdKey)) || properties.Length > limit - OwnAttributes || !PropertySelection.IsShort(properties.Length))
            return false;
        for (var i = 0; i < properties.Length; i++)
        {
            if (properties[i].Name is not { Length: > 0 and <= TemplateAttributes.Longest } || !PropertySelection.IsLast(properties, i))
                return false;
        }

        return true;
    }

    public void WriteEventId(ref ProtoWriter writer, LogEvent logEvent, ref AttributeTally tally)
    {
        var number = logEvent.EventId.Id;
        if (number == 0 || HasKey(logEvent, EventIdKey) || !tally.TryTake())
            return;
        var start = writer.Open(OtlpTag.Attribute);
        writer.WriteText(OtlpTag.Key, EventIdKey);
        AnyValueWriter.WriteInt(ref writer, OtlpTag.Value, number);
        writer.Close(start);
    }

    /// <summary>Writes type, message and stack trace of the exception (OpenTelemetry semantic conventions for exceptions in logs).</summary>
    public void WriteException(ref ProtoWriter writer, LogEvent logEvent, ref AttributeTally tally)
    {
        // A record that was buffered may lack any of the three.
        WriteText(ref writer, "exception.type", logEvent.ExceptionType, logEvent, ref tally);
        WriteText(ref writer, "exception.message", logEvent.ExceptionMessage, logEvent, ref tally);
        WriteText(ref writer, "exception.stacktrace", StackTraceOf(logEvent), logEvent, ref tally);
    }

    /// <summary>Writes state, template and scopes. Stops writing, but not counting, where the record is full.</summary>
    public void WriteProperties(ref ProtoWriter writer, LogEvent logEvent, ref AttributeTally tally, OtlpScratch scratch)
    {
        var first = writer.Position;
        var state = logEvent.AllProperties;
        var template = withTemplate ? logEvent.MessageTemplate : null;
        var known = template is not null && values.IsWhole(template) ? TemplateAttributes.Find(template, state) : null;
        var scopes = withScopes ? logEvent.ScopeCount : 0;
        if (scopes > 0 || (known is null && !PropertySelection.IsShort(state.Length)))
        {
            WriteSelected(ref writer, first, logEvent, scopes, template, known, ref tally, scratch);
            return;
        }

        for (var i = 0; i < state.Length; i++)
        {
            if (known is not null || (state[i].Name.Length > 0 && PropertySelection.IsLast(state, i)))
                WriteProperty(ref writer, first, state[i], known?.Keys[i], logEvent, ref tally, scratch);
        }

        WriteTemplate(ref writer, first, template, known, logEvent, ref tally, scratch);
    }

    // True if the application's own properties, and scopes, have a key: they win.
    private bool HasKey(LogEvent logEvent, string key)
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

    private void WriteText(ref ProtoWriter writer, string key, string? text, LogEvent logEvent, ref AttributeTally tally)
    {
        if (text is null || HasKey(logEvent, key) || !tally.TryTake())
            return;
        var start = writer.Open(OtlpTag.Attribute, text.Length);
        writer.WriteText(OtlpTag.Key, key);
        values.WriteText(ref writer, OtlpTag.Value, text);
        writer.Close(start, text.Length);
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

    private void WriteSelected(
        ref ProtoWriter writer, int first, LogEvent logEvent, int scopes, string? template, TemplateAttributes? known, ref AttributeTally tally, OtlpScratch scratch)
    {
        var selection = scratch.Selection;
        try
        {
            Select(selection, logEvent, scopes);
            var number = 0;
            foreach (ref readonly var property in logEvent.AllProperties)
            {
                if (selection.IsWanted(number))
                    WriteProperty(ref writer, first, property, known?.Keys[number], logEvent, ref tally, scratch);
                number++;
            }

            WriteTemplate(ref writer, first, template, known, logEvent, ref tally, scratch);
            for (var i = 0; i < scopes; i++)
            {
                foreach (ref readonly var property in logEvent.GetScope(i).Properties)
                {
                    if (selection.IsWanted(number++))
                        WriteProperty(ref writer, first, property, null, logEvent, ref tally, scratch);
                }
            }
        }
        finally
        {
            selection.Clear();
        }
    }

    private static void Select(PropertySelection selection, LogEvent logEvent, int scopes)
    {
        selection.AddGroup();
        foreach (ref readonly var property in logEvent.AllProperties)
            selection.Add(property.Name.Length > 0 ? property.Name : null);
        selection.AddGroup();
        for (var i = 0; i < scopes; i++)
        {
            selection.AddGroup();
            foreach (ref readonly var property in logEvent.GetScope(i).Properties)
                selection.Add(property.Name.Length > 0 && !(logEvent.HasTrace && IsActivityKey(property.Name)) ? property.Name : null);
        }

        selection.Decide();
    }

    // The host's activity tracking adds them to scopes; the ids are fields of the record.
    private static bool IsActivityKey(string key) => key is "TraceId" or "SpanId" or "ParentId";

    /// <summary>Encodes the template; null: it is no attribute.</summary>
    public PreencodedField? TemplateOf(LogEvent logEvent)
        => withTemplate && logEvent.MessageTemplate is { } template ? TemplateAttributes.TemplateOf(values.Bounded(template)) : null;

    private void WriteTemplate(
        ref ProtoWriter writer, int first, string? template, TemplateAttributes? known, LogEvent logEvent, ref AttributeTally tally, OtlpScratch scratch)
    {
        if (known is null && template is not null)
            WriteProperty(ref writer, first, new LogProperty(TemplateAttributes.TemplateKey, LogValue.From(template)), null, logEvent, ref tally, scratch);
        else if (known is not null && TryTake(in writer, first, ref tally))
            writer.Write(known.Template);
    }

    // encodedKey: the beginning of the attribute; null: not known.
    private void WriteProperty(
        ref ProtoWriter writer, int first, in LogProperty property, PreencodedField? encodedKey, LogEvent logEvent, ref AttributeTally tally, OtlpScratch scratch)
    {
        if (!TryTake(in writer, first, ref tally))
            return;
        var start = encodedKey is not null ? writer.Open(encodedKey) : OpenWithKey(ref writer, property.Name);
        values.Write(ref writer, OtlpTag.Value, property.Value, 1, logEvent, scratch);
        writer.Close(start);
    }

    // False where the record is full, too.
    private bool TryTake(in ProtoWriter writer, int first, ref AttributeTally tally)
    {
        if (!tally.TryTake())
            return false;
        if (writer.Position - first <= recordSize)
            return true;
        tally.Dropped++;
        return false;
    }

    private int OpenWithKey(ref ProtoWriter writer, string name)
    {
        var start = writer.Open(OtlpTag.Attribute);
        if (Utf8Cache.Find(name) is { } key)
            writer.WriteBytes(OtlpTag.Key, key);
        else
            writer.WriteText(OtlpTag.Key, TextPrefix.Of(name, recordSize));
        return start;
    }

    // With the invariant culture, so that receivers can group by it.
    [SuppressMessage("ApiDesign", "RS0030", Justification = "Set to the invariant one for the length of one call, which knows no parameter for it.")]
    private static string? StackTraceOf(LogEvent logEvent)
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

/// <summary>Counts the attributes of one record against their limit.</summary>
internal struct AttributeTally(int limit)
{
    private int _left = limit;

    /// <summary>Attributes left out.</summary>
    public int Dropped { get; set; }

    /// <summary>Takes the place of one attribute; counts it as left out when there is none.</summary>
    public bool TryTake()
    {
        if (_left > 0)
        {
            _left--;
            return true;
        }

        Dropped++;
        return false;
    }
}
