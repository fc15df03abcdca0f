using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The counters of one instance for the life of the process; rebuilds and disposal do not reset them.</summary>
internal sealed class SinkMetrics
{
    private const int MaxErrorTypes = 64;
    private const string OtherErrors = "other";

    private readonly long[] _levels = new long[DropCounts.Levels];

    // The classes of errors that are counted by their own name. It protects itself.
    private readonly HashSet<string> _errorTypes = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, long> _errors = new(StringComparer.Ordinal);
    private long _truncated;
    private long _propertiesLeftOut;
    private long _renderErrors;
    private long _retries;
    private long _uncertain;
    private long _unacknowledged;
    private long _recovered;
    private long _callerWaitTicks;
    private long _batches;
    private long _writeTicks;

    /// <summary>The instance's lock: protects queues, settled counts and states. Nothing foreign runs under it.</summary>
    public object Gate { get; } = new();

    /// <summary>Records taken over from callers and from other processes: counted when a segment is sealed or a file is found, never from their outcome.
    /// A claim without a commit counts, because it has an outcome too.</summary>
    public long Accepted { get; private set; }

    /// <summary>Accepted records that have an outcome: delivered or lost.</summary>
    public long Settled => Written + Drops.AfterAcceptance;

    /// <summary>Records delivered, those uncertain included.</summary>
    public long Written { get; private set; }

    /// <summary>Bytes delivered.</summary>
    public long OutputBytes { get; private set; }

    /// <summary>Calls of the sink with records that did not fail.</summary>
    public long Batches => Volatile.Read(ref _batches);

    /// <summary>The total time of those calls.</summary>
    public TimeSpan WriteTime => new(Volatile.Read(ref _writeTicks));

    /// <summary>Duration and size of the batches.</summary>
    public BatchHistograms Histograms { get; } = new();

    /// <summary>True if there was no memory for the last segment that the bounds allowed. Under <see cref="Gate"/>, read by any thread.</summary>
    public bool LacksMemory { get; set; }

    /// <summary>UTC ticks of the last delivery; 0 for none.</summary>
    public long LastSuccessTicks { get; private set; }

    /// <summary>The last error's class and text, or null.</summary>
    public SinkError? LastError { get; private set; }

    /// <summary>The lost records.</summary>
    public DropLedger Drops { get; } = new();

    public long Truncated => Volatile.Read(ref _truncated);

    public long PropertiesLeftOut => Volatile.Read(ref _propertiesLeftOut);

    public long RenderErrors => Volatile.Read(ref _renderErrors);

    public long Retries => Volatile.Read(ref _retries);

    /// <summary>Records written that may not have arrived.</summary>
    public long Uncertain => Volatile.Read(ref _uncertain);

    /// <summary>Records from <see cref="SinkOptions.AcknowledgeLevel"/> on that were not acknowledged.</summary>
    public long Unacknowledged => Volatile.Read(ref _unacknowledged);

    /// <summary>Accepted records that processes left which were killed.</summary>
    public long Recovered => Volatile.Read(ref _recovered);

    public TimeSpan CallerWait => new(Volatile.Read(ref _callerWaitTicks));

    public IReadOnlyDictionary<string, long> Errors => _errors;

    /// <summary>The class under which an error is counted: after the first 64 classes every further one is <c>other</c>, because a sink's text is not bounded.</summary>
    public string ClassOf(string errorType)
    {
        lock (_errorTypes)
            return _errorTypes.Contains(errorType) || (_errorTypes.Count < MaxErrorTypes && _errorTypes.Add(errorType)) ? errorType : OtherErrors;
    }

    public void RecordTruncated() => Interlocked.Increment(ref _truncated);

    public void LeftOut(int properties) => Interlocked.Add(ref _propertiesLeftOut, properties);

    public void RenderFailed(int count) => Interlocked.Add(ref _renderErrors, count);

    public void Retried() => Interlocked.Increment(ref _retries);

    public void AddUncertain(int count) => Interlocked.Add(ref _uncertain, count);

    public void CountUnacknowledged() => Interlocked.Increment(ref _unacknowledged);

    public void AddRecovered(long count) => Interlocked.Add(ref _recovered, count);

    public void AddCallerWait(TimeSpan time) => Interlocked.Add(ref _callerWaitTicks, time.Ticks);

    /// <summary>Counts a call of the sink that has ended.</summary>
    /// <param name="errorType">The class of its failure, as <see cref="ClassOf"/> names it; null: it did not fail.</param>
    public void Wrote(TimeSpan time, int records, string? errorType)
    {
        if (errorType is null)
        {
            Interlocked.Increment(ref _batches);
            Interlocked.Add(ref _writeTicks, time.Ticks);
        }

        Histograms.Record(time, records, errorType);
    }

    public void Failed(string errorType, string message, long ticks)
    {
        CountError(errorType);
        LastError = new SinkError(errorType, message, new DateTimeOffset(ticks, TimeSpan.Zero));
    }

    public void CountError(string errorType) => _errors.AddOrUpdate(ClassOf(errorType), 1, static (_, count) => count + 1);

    /// <summary>Counts records that the instance answers for from here on. Under the lock, in the step that makes them visible.</summary>
    public void Accept(long records)
    {
        Debug.Assert(Monitor.IsEntered(Gate), "Accepted counts change under the instance's lock only.");
        Accepted += records;
    }

    /// <summary>Counts the records of a segment that the worker has finished. Under the lock.</summary>
    /// <param name="batch">Their outcome: records that it did not refuse are written.</param>
    /// <param name="nowTicks">The time, UTC.</param>
    public void Settle(ReadOnlySpan<long> levels, LogBatch batch, long nowTicks)
    {
        var refused = batch.Refused.Total;
        var written = AddLevels(levels) - refused;
        Debug.Assert(written >= 0, "More records were refused than the segment holds.");
        Written += written;
        OutputBytes += batch.AdvancedBytes + batch.Bytes.Length;
        if (written > 0)
            LastSuccessTicks = nowTicks;
        if (refused > 0)
            AddRefused(batch.Refused, nowTicks);
    }

    /// <summary>Counts accepted records that are lost without having been offered to the sink. Under the lock.</summary>
    /// <param name="levels">Counts by level; at least one.</param>
    /// <param name="firstTicks">Time of the first, UTC.</param>
    /// <param name="lastTicks">Time of the last, UTC.</param>
    /// <param name="nowTicks">The time, UTC.</param>
    public void CountLost(DropReason reason, ReadOnlySpan<long> levels, long firstTicks, long lastTicks, long nowTicks)
    {
        AddLevels(levels);
        Drops.AddAfter(reason, levels, firstTicks, lastTicks, nowTicks);
    }

    /// <summary>Counts accepted records that were refused. Under the lock.</summary>
    public void CountLost(DropCounts refused, long nowTicks)
    {
        Span<long> levels = stackalloc long[DropCounts.Levels];
        foreach (var reason in DropReasons.All)
        {
            for (var level = 0; level < levels.Length; level++)
                levels[level] = refused[reason, (LogLevel)level];
            AddLevels(levels);
        }

        AddRefused(refused, nowTicks);
    }

    /// <summary>Settled records by level; with those that wait and those in flight they are the accepted ones.</summary>
    public long SettledOf(LogLevel level) => _levels[(int)level];

    private void AddRefused(DropCounts refused, long nowTicks)
    {
        Span<long> levels = stackalloc long[DropCounts.Levels];
        foreach (var reason in DropReasons.All)
        {
            if (refused.Of(reason) == 0)
                continue;
            for (var level = 0; level < levels.Length; level++)
                levels[level] = refused[reason, (LogLevel)level];
            Drops.AddAfter(reason, levels, refused.FirstTicks(reason), refused.LastTicks(reason), nowTicks);
        }
    }

    private long AddLevels(ReadOnlySpan<long> levels)
    {
        Debug.Assert(Monitor.IsEntered(Gate), "Settled counts change under the instance's lock only.");
        var count = 0L;
        for (var i = 0; i < levels.Length; i++)
        {
            _levels[i] += levels[i];
            count += levels[i];
        }

        return count;
    }
}

/// <summary>The last error of an instance.</summary>
/// <param name="Type">Its class, a short lower-case word.</param>
/// <param name="Message">Its text, without secrets.</param>
/// <param name="At">Its time.</param>
internal sealed record SinkError(string Type, string Message, DateTimeOffset At);
