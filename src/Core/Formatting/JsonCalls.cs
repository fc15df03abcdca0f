using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Finds the ready-made bytes of a call again by the reference of its template. Bounded: what is new replaces what is old.</summary>
/// <remarks>Entries never change, so that readers need no lock. A call is learned when it comes a second time: a template that was built for one
/// call only, as by an interpolated string, costs nothing.</remarks>
internal sealed class JsonCalls(JsonRecordLayout layout)
{
    private const int SlotCount = 1024;
    private const int Probes = 4;
    private readonly JsonCall?[] _slots = new JsonCall?[SlotCount];
    private readonly int[] _seen = new int[SlotCount];
    private int _turn;

    /// <summary>The bytes of the event's call; null when the record has to be rendered in full.</summary>
    public JsonCall? Find(LogEvent logEvent, FormatScratch scratch)
    {
        if (logEvent.MessageTemplate is not { } template)
            return null;
        var hash = RuntimeHelpers.GetHashCode(template);
        var slots = _slots;
        for (var i = 0; i < Probes; i++)
        {
            if (slots[(hash + i) & (SlotCount - 1)] is { } call && call.IsOf(logEvent))
                return call.Fits(logEvent) ? call : null;
        }
        return Learn(logEvent, hash, scratch);
    }

    private JsonCall? Learn(LogEvent logEvent, int hash, FormatScratch scratch)
    {
        // A race loses a note, no more.
        ref var seen = ref _seen[hash & (SlotCount - 1)];
        if (seen != hash)
        {
            seen = hash;
            return null;
        }
        var call = new JsonCall(logEvent, layout, scratch);
        Put(call, hash);
        return call.Fits(logEvent) ? call : null;
    }

    private void Put(JsonCall call, int hash)
    {
        for (var i = 0; i < Probes; i++)
        {
            ref var slot = ref _slots[(hash + i) & (SlotCount - 1)];
            if (slot is null)
            {
                Volatile.Write(ref slot, call);
                return;
            }
        }
        // In turn, so that two that are in use cannot drive each other out for ever while old ones stay. A lost count does no harm.
        Volatile.Write(ref _slots[(hash + (_turn++ & (Probes - 1))) & (SlotCount - 1)], call);
    }
}
