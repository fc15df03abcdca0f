using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The bytes that all records of one call in the code have in common: rendered once, then only copied. Immutable.</summary>
internal sealed class JsonCall
{
    /// <summary>A call with more is rendered in full each time.</summary>
    private const int MostBytes = 16 * 1024;

    private readonly string _template;
    private readonly string _category;
    private readonly LogLevel _level;
    private readonly EventId _eventId;
    private readonly string[] _names;
    private readonly byte[][] _keys;
    private readonly byte[] _after;
    private readonly bool _isUsable;

    /// <param name="logEvent">An event of the call; it has a template.</param>
    /// <param name="layout">The layout.</param>
    /// <param name="scratch">The event's scratch.</param>
    public JsonCall(LogEvent logEvent, JsonRecordLayout layout, FormatScratch scratch)
    {
        var properties = logEvent.Properties;
        _template = logEvent.MessageTemplate!;
        _category = logEvent.Category;
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
        _keys = new byte[_names.Length][];
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
    public byte[] Head { get; }

    /// <summary>Whether an event comes from this call, except for the names of its properties.</summary>
    public bool IsOf(LogEvent logEvent)
        => ReferenceEquals(_template, logEvent.MessageTemplate) && ReferenceEquals(_category, logEvent.Category) && _level == logEvent.Level
            && _eventId.Id == logEvent.EventId.Id && string.Equals(_eventId.Name, logEvent.EventId.Name, StringComparison.Ordinal);

    /// <summary>Whether the bytes are right for an event of this call.</summary>
    public bool Fits(ReadOnlySpan<LogProperty> properties)
    {
        if (!_isUsable || properties.Length != _names.Length)
            return false;
        for (var i = 0; i < properties.Length; i++)
        {
            if (!string.Equals(properties[i].NameRef, _names[i], StringComparison.Ordinal))
                return false;
        }
        return true;
    }

    /// <summary>Writes everything between the exception and the scopes.</summary>
    public void WriteProperties(ref Utf8Writer writer, ReadOnlySpan<LogProperty> properties, FormatScratch scratch)
    {
        for (var i = 0; i < properties.Length && i < _keys.Length; i++)
        {
            writer.Write(_keys[i]);
            JsonText.Write(ref writer, in properties[i].ValueRef, scratch);
        }
        writer.Write(_after);
    }

    private static Utf8Writer Begin(RecordBuffer buffer)
    {
        buffer.Reset(int.MaxValue);
        return new Utf8Writer(buffer);
    }

    private static byte[] End(ref Utf8Writer writer, RecordBuffer buffer)
    {
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }
}
