using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The routes that take a category's records at each level. Immutable; replaced by a reload.</summary>
internal sealed class CategoryPlan
{
    /// <summary>Takes no record.</summary>
    public static readonly CategoryPlan Empty = new([]);

    private readonly LevelPlan[] _byLevel = new LevelPlan[DropCounts.Levels];

    public CategoryPlan(IReadOnlyList<PlannedRoute> routes)
    {
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
        {
            _byLevel[(int)level] = new LevelPlan(Group(routes, level));
            if (_byLevel[(int)level].Routes.Length > 0)
                EnabledLevels |= 1u << (int)level;
        }

        foreach (var planned in routes)
            MessageLimit = Math.Max(MessageLimit, planned.Route.MaxRecordSize * RecordRenderer.LimitFactor);
    }

    /// <summary>One bit per level that a route takes.</summary>
    public uint EnabledLevels { get; }

    /// <summary>The maximum number of bytes of a message that are stored.</summary>
    public int MessageLimit { get; }

    /// <summary>The plan of a level.</summary>
    public LevelPlan For(LogLevel level) => _byLevel[(int)level];

    private static RecordRoute[] Group(IReadOnlyList<PlannedRoute> routes, LogLevel level)
    {
        var grouped = new List<RecordRoute>();
        foreach (var planned in routes)
        {
            if (level < planned.Minimum || level > planned.Maximum)
                continue;
            var last = grouped.FindLastIndex(other => RecordDispatch.IsSameLayout(other, planned.Route));
            grouped.Insert(last < 0 ? grouped.Count : last + 1, planned.Route);
        }
        return [.. grouped];
    }
}

/// <summary>The routes that take a category's records at one level, and the calls in the code whose records are rendered in advance for them.</summary>
internal sealed class LevelPlan
{
    private const int FirstSize = 16;
    private const int MaxSize = 1024;
    private const int NotedSize = 64;
    private const int Probes = 4;

    // A noted call makes place for one of this many others, so that calls that come in turn do not displace each other forever.
    private const int NotesPerReplacement = 4;

    // The hashes of calls that were seen once. A template that is built for each call has another one each time, and must neither fill the table nor be kept.
    private int[] _noted = [];
    private CallSite?[] _sites = [];
    private ReplacedPlace _replaced;

    /// <param name="routes">Those with the same layout follow one another, so that a record is rendered once for all of them.</param>
    public LevelPlan(RecordRoute[] routes)
    {
        Routes = routes;
        Only = routes is [var route] ? route : null;
    }

    public RecordRoute[] Routes { get; }

    /// <summary>The route, if there is just one. Only then there are call sites.</summary>
    public RecordRoute? Only { get; }

    /// <summary>Finds a call.</summary>
    /// <param name="owner">Identifies its template, see <see cref="StateLayout.GetOwner"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public CallSite? Find(object owner, EventId id)
    {
        var sites = Volatile.Read(ref _sites);
        var hash = HashOf(owner, id.Id);
        for (var i = 0; i < Probes && i < sites.Length; i++)
        {
            if (sites[(hash + i) & (sites.Length - 1)] is { } site && ReferenceEquals(site.Owner, owner) && site.EventId == id.Id && string.Equals(site.EventName, id.Name, StringComparison.Ordinal))
                return site;
        }

        return null;
    }

    /// <summary>Notes a call that is not in the table, if there is room for it: a table with <see cref="MaxSize"/> places stays as it is.</summary>
    /// <returns>True if it was noted before: then it is worth adding.</returns>
    public bool TryNote(object owner, EventId id)
    {
        if (Only is null || Find(owner, id) is not null)
            return false;
        var hash = HashOf(owner, id.Id);
        if (!HasRoom(hash))
            return false;
        // A race loses what another thread noted, no more: that call is wanted one time later.
        if (_noted.Length == 0)
            _noted = new int[NotedSize];
        ref var noted = ref _noted[hash & (NotedSize - 1)];
        if (noted == hash)
        {
            noted = 0;
            return true;
        }

        if (noted == 0 || _replaced.Next(NotesPerReplacement) == 0)
            noted = hash;
        return false;
    }

    /// <summary>Adds a call after <see cref="TryNote"/> returned true.</summary>
    public void Add(object owner, EventId id, FastRecord record, CallSiteFormatter? formatter = null)
    {
        lock (this)
        {
            if (Find(owner, id) is null)
                Add(new CallSite(owner, id, record, formatter));
        }
    }

    private void Add(CallSite site)
    {
        var sites = _sites;
        while (!TryPlace(sites, site))
        {
            if (sites.Length == MaxSize)
                return;
            sites = Grow(sites);
        }

        Volatile.Write(ref _sites, sites);
    }

    // Without the lock: a call for which there is none asks at each of its records.
    private bool HasRoom(int hash)
    {
        var sites = Volatile.Read(ref _sites);
        if (sites.Length < MaxSize)
            return true;
        for (var i = 0; i < Probes; i++)
        {
            if (sites[(hash + i) & (MaxSize - 1)] is null)
                return true;
        }

        return false;
    }

    private static int HashOf(object owner, int id) => RuntimeHelpers.GetHashCode(owner) + id;

    // An entry that finds no place in a table of twice the size is offered again.
    private static CallSite?[] Grow(CallSite?[] sites)
    {
        var grown = new CallSite?[Math.Max(sites.Length * 2, FirstSize)];
        foreach (var site in sites)
        {
            if (site is not null)
                TryPlace(grown, site);
        }

        return grown;
    }

    private static bool TryPlace(CallSite?[] sites, CallSite site)
    {
        var hash = HashOf(site.Owner, site.EventId);
        for (var i = 0; i < Probes && i < sites.Length; i++)
        {
            ref var place = ref sites[(hash + i) & (sites.Length - 1)];
            if (place is not null)
                continue;
            Volatile.Write(ref place, site);
            return true;
        }

        return false;
    }
}

/// <summary>One call in the code, and its record.</summary>
/// <param name="record">The record; only its message if there is a formatter.</param>
/// <param name="formatter">Writes the record of a format that is not the library's own; null: the format is.</param>
internal sealed class CallSite(object owner, EventId id, FastRecord record, CallSiteFormatter? formatter = null)
{
    private const int MostMisses = 8;
    private const int TriedOf = 64;

    /// <summary>Identifies the template: see <see cref="StateLayout.GetOwner"/>.</summary>
    public readonly object Owner = owner;
    public readonly FastRecord Record = record;
    public readonly CallSiteFormatter? Formatter = formatter;
    public readonly string? EventName = id.Name;
    public readonly int EventId = id.Id;

    // Without a sign: beyond its largest value it begins anew.
    private uint _misses;

    /// <summary>Returns false if the last records of the call all needed an event: then most attempts are spared. A race does no harm.</summary>
    public bool IsWorthTrying() => _misses < MostMisses || ++_misses % TriedOf == 0;

    /// <summary>Counts an attempt.</summary>
    public void Count(bool isWritten)
    {
        if (isWritten && _misses != 0)
            _misses = 0;
        else if (!isWritten)
            _misses++;
    }
}

/// <summary>A route and the levels it takes of one category; a minimum of None takes no record.</summary>
internal sealed record PlannedRoute(RecordRoute Route, LogLevel Minimum, LogLevel Maximum);
