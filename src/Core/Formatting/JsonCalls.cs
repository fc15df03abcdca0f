using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Finds the ready-made bytes of a call again: by the reference of its template, its category, level and event id. Bounded.</summary>
/// <remarks>Entries never change, so that readers need no lock. A call is learned when it comes a second time: a template that was built for one
/// call only, as by an interpolated string, costs nothing.</remarks>
internal sealed class JsonCalls(JsonRecordLayout layout)
{
    private const int SlotCount = 1024;
    private const int Probes = 8;

    // What it costs to learn a call is spread over so many records where more calls are in use than there is room for.
    private const int RecordsPerReplacement = 1024;

    private readonly JsonCall?[] _slots = new JsonCall?[SlotCount];
    private readonly int[] _seen = new int[SlotCount];
    private int _seenTurn;
    private int _replaceTurn;

    /// <summary>The bytes of the event's call; null when the record has to be rendered in full.</summary>
    public JsonCall? Find(LogEvent logEvent, FormatScratch scratch)
    {
        if (logEvent.MessageTemplate is not { } template)
            return null;
        var hash = HashOf(template, logEvent);
        var slots = _slots;
        for (var i = 0; i < Probes; i++)
        {
            if (slots[(hash + i) & (SlotCount - 1)] is { } call && call.IsOf(logEvent))
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
        var free = 0;
        while (free < Probes && _slots[(hash + free) & (SlotCount - 1)] is not null)
            free++;
        // A lost count does no harm.
        if (free == Probes)
        {
            if (++_replaceTurn % RecordsPerReplacement != 0)
                return null;
            free = (_replaceTurn / RecordsPerReplacement) & (Probes - 1);
        }
        var call = new JsonCall(logEvent, layout, scratch);
        Volatile.Write(ref _slots[(hash + free) & (SlotCount - 1)], call);
        return call.Fits(logEvent) ? call : null;
    }

    // Notes the call otherwise. A race loses a note, no more.
    private bool IsSeen(int hash)
    {
        for (var i = 0; i < Probes; i++)
        {
            if (_seen[(hash + i) & (SlotCount - 1)] == hash)
                return true;
        }
        // In turn, so that calls in use cannot drive each other out for ever.
        _seen[(hash + (_seenTurn++ & (Probes - 1))) & (SlotCount - 1)] = hash;
        return false;
    }
}
