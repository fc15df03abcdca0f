using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>What a layout renders in advance for each call in the code, found by template, category, level and event id. Bounded.</summary>
/// <remarks>A call is rendered in advance when it comes a second time: a template that was built for one call only, as by an interpolated string, costs nothing.</remarks>
internal sealed class CallCache<TCall>(Func<LogEvent, FormatScratch, TCall> render)
    where TCall : RenderedCall
{
    private const int Size = 1024;
    private const int Probes = 8;

    // If more calls are in use than fit, the cost of rendering one in advance is spread over this many records.
    private const int RecordsPerReplacement = 1024;

    private readonly ReferenceCache<TCall> _calls = new(Size, Probes);
    private readonly int[] _seen = new int[Size];
    private ReplacedPlace _replaced;
    private int _misses;

    /// <summary>The event's call; null when the record has to be rendered in full.</summary>
    public TCall? Find(LogEvent logEvent, FormatScratch scratch)
    {
        if (logEvent.TemplateKey is null)
            return null;
        var hash = HashOf(logEvent);
        for (var i = 0; i < Probes; i++)
        {
            if (_calls[hash + i] is { } call && call.IsOf(logEvent))
                return call.Fits(logEvent) ? call : null;
        }
        return AddIfSeen(logEvent, hash, scratch);
    }

    // Every part of the key: one template may be used from many categories, as that of a generic base class is.
    private static int HashOf(LogEvent logEvent)
    {
        const uint Mix = 0x9E3779B1;
        var hash = ((uint)logEvent.TemplateHash * Mix) + (uint)logEvent.CategoryInfo.Hash;
        hash = (hash * Mix) + ((uint)logEvent.EventId.Id * 8) + (uint)logEvent.Level;
        return (int)((hash * Mix) >> 8);
    }

    private TCall? AddIfSeen(LogEvent logEvent, int hash, FormatScratch scratch)
    {
        // Texts that were built for one call each may have the same hash. Those of the code are of the oldest generation, or of none.
        if (!IsSeen(hash) || (logEvent.TemplateKey is string text && GC.GetGeneration(text) < GC.MaxGeneration))
            return null;
        if (!_calls.HasRoom(hash) && ++_misses % RecordsPerReplacement != 0)
            return null;
        var call = render(logEvent, scratch);
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
        _seen[(hash + _replaced.Next(Probes)) & (Size - 1)] = hash;
        return false;
    }
}

/// <summary>What all records of one call in the code have in common: rendered once, then only copied. Any thread.</summary>
/// <param name="logEvent">An event of the call; it has a template.</param>
internal abstract class RenderedCall(LogEvent logEvent)
{
    private readonly object? _template = logEvent.TemplateKey;
    private readonly LogCategory _category = logEvent.CategoryInfo;
    private readonly LogLevel _level = logEvent.Level;
    private readonly EventId _eventId = logEvent.EventId;

    /// <summary>Returns true if an event comes from this call.</summary>
    public bool IsOf(LogEvent logEvent)
    {
        var id = logEvent.EventId;
        return ReferenceEquals(_template, logEvent.TemplateKey) && ReferenceEquals(_category, logEvent.CategoryInfo) && _level == logEvent.Level
            && _eventId.Id == id.Id && string.Equals(_eventId.Name, id.Name, StringComparison.Ordinal);
    }

    /// <summary>Returns true if what was rendered is right for an event of this call.</summary>
    public abstract bool Fits(LogEvent logEvent);
}
