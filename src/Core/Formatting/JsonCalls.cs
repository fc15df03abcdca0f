using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The bytes that all records of one call in the code have in common, found by its template's reference, category, level and event id. Bounded.</summary>
/// <remarks>A call is rendered in advance when it comes a second time: a template that was built for one call only, as by an interpolated string, costs nothing.</remarks>
internal sealed class JsonCalls(JsonRecordLayout layout)
{
    private const int Size = 1024;
    private const int Probes = 8;

    // Where more calls are in use than there is room for, the cost of rendering one in advance is spread over so many records.
    private const int RecordsPerReplacement = 1024;

    private readonly ReferenceCache<JsonCall> _calls = new(Size, Probes);
    private readonly int[] _seen = new int[Size];
    private int _seenTurn;
    private int _misses;

    /// <summary>The bytes of the event's call; null when the record has to be rendered in full.</summary>
    public JsonCall? Find(LogEvent logEvent, FormatScratch scratch)
    {
        if (logEvent.MessageTemplate is not { } template)
            return null;
        var hash = HashOf(template, logEvent);
        for (var i = 0; i < Probes; i++)
        {
            if (_calls[hash + i] is { } call && call.IsOf(logEvent))
                return call.Fits(logEvent) ? call : null;
        }
        return Learn(logEvent, hash, scratch);
    }

    // Every part of the key: one template may be used from many categories, as that of a generic base class is.
    private static int HashOf(string template, LogEvent logEvent)
    {
        const uint Mix = 0x9E3779B1;
        var hash = ((uint)RuntimeHelpers.GetHashCode(template) * Mix) + (uint)logEvent.CategoryInfo.Hash;
        hash = (hash * Mix) + ((uint)logEvent.EventId.Id * 8) + (uint)logEvent.Level;
        return (int)((hash * Mix) >> 8);
    }

    private JsonCall? Learn(LogEvent logEvent, int hash, FormatScratch scratch)
    {
        if (!IsSeen(hash))
            return null;
        if (!_calls.HasRoom(hash) && ++_misses % RecordsPerReplacement != 0)
            return null;
        var call = new JsonCall(logEvent, layout, scratch);
        _calls.Add(hash, call);
        return call.Fits(logEvent) ? call : null;
    }

    // Otherwise caches the call. A race loses at most one.
    private bool IsSeen(int hash)
    {
        for (var i = 0; i < Probes; i++)
        {
            if (_seen[(hash + i) & (Size - 1)] == hash)
                return true;
        }
        // In turn, so that calls in use cannot replace each other for ever.
        _seen[(hash + (_seenTurn++ & (Probes - 1))) & (Size - 1)] = hash;
        return false;
    }
}

/// <summary>The bytes that all records of one call have in common: rendered once, then only copied. Immutable.</summary>
internal sealed class JsonCall
{
    /// <summary>Everything between the timestamp and the message.</summary>
    public readonly Utf8Literal Head;

    // A call with more is rendered in full each time.
    private const int MostBytes = 16 * 1024;

    private readonly string _template;
    private readonly LogCategory _category;
    private readonly LogLevel _level;
    private readonly EventId _eventId;
    private readonly string[] _names;
    private readonly Utf8Literal[] _keys;
    private readonly Utf8Literal _after;
    private readonly bool _isUsable;

    // The last other array that was found to have the same names.
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
        var writer = new JsonWriter(buffer, logEvent, scratch);
        layout.WriteHead(ref writer);
        Head = Take(ref writer, buffer);
        layout.WriteSource(ref writer);
        _keys = new Utf8Literal[_names.Length];
        for (var i = 0; i < _keys.Length; i++)
        {
            layout.WriteKey(ref writer, isFirst: i == 0, _names[i]);
            _keys[i] = Take(ref writer, buffer);
        }
        layout.WriteAfterProperties(ref writer, isFirst: _keys.Length == 0);
        _after = Take(ref writer, buffer);
        _isUsable &= Head.Length + _keys.Sum(static key => key.Length) + _after.Length <= MostBytes;
    }

    /// <summary>Returns true if an event comes from this call, except for the names of its properties.</summary>
    public bool IsOf(LogEvent logEvent)
    {
        var id = logEvent.EventId;
        return ReferenceEquals(_template, logEvent.MessageTemplate) && ReferenceEquals(_category, logEvent.CategoryInfo) && _level == logEvent.Level
            && _eventId.Id == id.Id && string.Equals(_eventId.Name, id.Name, StringComparison.Ordinal);
    }

    /// <summary>Returns true if the bytes are right for an event of this call.</summary>
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
    public void WriteProperties(ref JsonWriter writer)
    {
        var values = writer.Event.Arguments;
        LogValue room = default;
        var keys = _keys;
        for (var i = 0; i < keys.Length; i++)
        {
            writer.Text.Write(in keys[i]);
            JsonText.Write(ref writer.Text, in values.Get(i, ref room), writer.Scratch);
        }
        writer.Text.Write(in _after);
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

    // Takes the bytes written since the last call.
    private static Utf8Literal Take(ref JsonWriter writer, RecordBuffer buffer)
    {
        writer.Text.Flush();
        var taken = new Utf8Literal(buffer.WrittenSpan);
        buffer.Reset(int.MaxValue);
        writer.Text = new Utf8Writer(buffer);
        return taken;
    }
}
