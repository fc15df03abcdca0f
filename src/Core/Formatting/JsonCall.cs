using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The bytes that all records of one call in the code have in common: rendered once, then only copied. Immutable.</summary>
internal sealed class JsonCall
{
    /// <summary>A call with more is rendered in full each time.</summary>
    private const int MostBytes = 16 * 1024;

    private readonly string _template;
    private readonly LogCategory _category;
    private readonly LogLevel _level;
    private readonly EventId _eventId;
    private readonly string[] _names;
    private readonly Utf8Literal[] _keys;
    private readonly Utf8Literal _after;
    private readonly bool _isUsable;

    // Another array with the same names; set when it was compared, by whoever did it last.
    private string[]? _sameNames;

    /// <param name="logEvent">An event of the call; it has a template.</param>
    /// <param name="layout">The layout.</param>
    /// <param name="scratch">The event's scratch.</param>
    public JsonCall(LogEvent logEvent, JsonRecordLayout layout, FormatScratch scratch)
    {
        var properties = logEvent.Properties;
        _template = logEvent.MessageTemplate!;
        _category = logEvent.CategoryInfo;
        _level = logEvent.Level;
        _eventId = logEvent.EventId;
        _names = new string[properties.Length];
        for (var i = 0; i < _names.Length; i++)
            _names[i] = properties[i].Name;
        _isUsable = PropertyNames.MarkLast(properties, new bool[_names.Length]) == _names.Length && Array.TrueForAll(_names, layout.IsFixedKey);

        var buffer = new RecordBuffer();
        var writer = Begin(buffer);
        layout.WriteHead(ref writer, logEvent, int.MaxValue, scratch);
        Head = End(ref writer, buffer);
        writer = Begin(buffer);
        layout.WriteSource(ref writer, logEvent, int.MaxValue, scratch);
        _keys = new Utf8Literal[_names.Length];
        for (var i = 0; i < _keys.Length; i++)
        {
            layout.WriteKey(ref writer, isFirst: i == 0, _names[i], logEvent, scratch);
            _keys[i] = End(ref writer, buffer);
            writer = Begin(buffer);
        }
        layout.WriteAfterProperties(ref writer, logEvent, isFirst: _keys.Length == 0, scratch);
        _after = End(ref writer, buffer);
        _isUsable &= Head.Length + _keys.Sum(static key => key.Length) + _after.Length <= MostBytes;
    }

    /// <summary>What is between the time stamp and the message.</summary>
    public readonly Utf8Literal Head;

    /// <summary>Whether an event comes from this call, except for the names of its properties.</summary>
    public bool IsOf(LogEvent logEvent)
    {
        var id = logEvent.EventId;
        return ReferenceEquals(_template, logEvent.MessageTemplate) && ReferenceEquals(_category, logEvent.CategoryInfo) && _level == logEvent.Level
            && _eventId.Id == id.Id && string.Equals(_eventId.Name, id.Name, StringComparison.Ordinal);
    }

    /// <summary>Whether the bytes are right for an event of this call.</summary>
    public bool Fits(LogEvent logEvent)
    {
        if (!_isUsable)
            return false;
        if (logEvent.LazyNames is not { } names)
            return HasNames(logEvent.Properties);
        if (ReferenceEquals(names, _sameNames))
            return true;
        if (!names.AsSpan().SequenceEqual(_names))
            return false;
        _sameNames = names;
        return true;
    }

    /// <summary>Writes everything between the exception and the scopes.</summary>
    public void WriteProperties(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch)
    {
        var values = logEvent.Arguments;
        LogValue room = default;
        var keys = _keys;
        for (var i = 0; i < keys.Length; i++)
        {
            writer.Write(in keys[i]);
            JsonText.Write(ref writer, in values.Get(i, ref room), scratch);
        }
        writer.Write(in _after);
    }

    private bool HasNames(ReadOnlySpan<LogProperty> properties)
    {
        if (properties.Length != _names.Length)
            return false;
        for (var i = 0; i < properties.Length; i++)
        {
            if (!string.Equals(properties[i].NameRef, _names[i], StringComparison.Ordinal))
                return false;
        }
        return true;
    }

    private static Utf8Writer Begin(RecordBuffer buffer)
    {
        buffer.Reset(int.MaxValue);
        return new Utf8Writer(buffer);
    }

    private static Utf8Literal End(ref Utf8Writer writer, RecordBuffer buffer)
    {
        writer.Flush();
        return new Utf8Literal(buffer.WrittenSpan);
    }
}
