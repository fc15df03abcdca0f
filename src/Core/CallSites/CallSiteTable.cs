using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The calls in the code that log at one level of one category. A call that is seen a second time gets a <see cref="CallSite"/>. Bounded; any thread.</summary>
/// <remarks>A call is found by the object that identifies its template, the formatter of MEL or the text itself, and its event id. Of a call that was seen once only a hash is
/// kept, which another call may replace: a template that is built for each call has another one each time, and must neither fill the table nor be kept.</remarks>
internal sealed class CallSiteTable
{
    private const int FirstSize = 16;
    private const int MaxSize = 1024;

    // With four, one of a hundred calls found no place, now and then: where the hashes of others lie side by side.
    private const int Probes = 8;
    private const int Choices = 256;

    private Place[] _places = [];
    private ReplacedPlace _replaced;

    /// <summary>Finds a call, or notes that it was seen.</summary>
    /// <param name="isSeen">True if there is no site, but the call was noted before: then it is worth adding.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public CallSite? FindOrNote(object owner, EventId id, out bool isSeen)
    {
        var site = Find(owner, id);
        isSeen = site is null && IsNoted(HashOf(owner, id.Id));
        return site;
    }

    /// <summary>Finds a call.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public CallSite? Find(object owner, EventId id)
    {
        var places = Volatile.Read(ref _places);
        var hash = HashOf(owner, id.Id);
        for (var i = 0; i < Probes && i < places.Length; i++)
        {
            if (places[(hash + i) & (places.Length - 1)].Site is { } site && ReferenceEquals(site.Owner, owner) && site.EventId == id.Id
                && string.Equals(site.EventName, id.Name, StringComparison.Ordinal))
            {
                return site;
            }
        }

        return null;
    }

    /// <summary>Adds a call.</summary>
    public void Add(CallSite site)
    {
        lock (this)
        {
            if (Find(site.Owner, new EventId(site.EventId, site.EventName)) is not null)
                return;
            var hash = HashOf(site.Owner, site.EventId);
            for (var i = 0; i < Probes; i++)
            {
                ref var place = ref _places[(hash + i) & (_places.Length - 1)];
                if (place.Site is not null || (place.Hash != hash && i < Probes - 1))
                    continue;
                place.Hash = hash;
                Volatile.Write(ref place.Site, site);
                return;
            }
        }
    }

    private static int HashOf(object owner, int id)
    {
        var hash = RuntimeHelpers.GetHashCode(owner) + id;
        // 0 is a free place.
        return hash == 0 ? 1 : hash;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool IsNoted(int hash)
    {
        while (true)
        {
            var places = Volatile.Read(ref _places);
            if (TryNote(places, hash, out var isNoted))
                return isNoted;
            if (places.Length == MaxSize)
                return false;
            Grow(places);
        }
    }

    // Without the lock. A race loses what another thread noted, no more: that call is wanted one time later. False: the table is full around the place.
    private bool TryNote(Place[] places, int hash, out bool isNoted)
    {
        isNoted = false;
        var (free, replaced, replaceable) = (-1, -1, 0);
        for (var i = 0; i < Probes && i < places.Length; i++)
        {
            var at = (hash + i) & (places.Length - 1);
            ref var place = ref places[at];
            if (place.Site is not null)
                continue;
            if (place.Hash == hash)
            {
                isNoted = true;
                return true;
            }

            // The first one: a known call is found where it is looked for first.
            if (place.Hash == 0)
                free = free < 0 ? at : free;
            else if (places.Length == MaxSize && _replaced.Next(Choices) % ++replaceable == 0)
                replaced = at;
        }

        if (free < 0)
            free = replaced;
        if (free < 0)
            return false;
        places[free].Hash = hash;
        return true;
    }

    // What finds no place in a table of twice the size is noted again.
    private void Grow(Place[] places)
    {
        lock (this)
        {
            if (places != _places)
                return;
            var grown = new Place[Math.Max(places.Length * 2, FirstSize)];
            foreach (var place in places)
            {
                for (var i = 0; i < Probes && place.Hash != 0; i++)
                {
                    ref var free = ref grown[(place.Hash + i) & (grown.Length - 1)];
                    if (free.Hash != 0)
                        continue;
                    free = place;
                    break;
                }
            }

            Volatile.Write(ref _places, grown);
        }
    }

    // A call that was seen once has no site.
    private struct Place
    {
        public CallSite? Site;
        public int Hash;
    }
}
