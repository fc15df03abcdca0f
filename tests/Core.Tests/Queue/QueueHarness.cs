using System.Runtime.CompilerServices;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Queue;

/// <summary>A queue without a worker: the test plays the worker.</summary>
internal sealed class QueueHarness
{
    private readonly LogBatch _batch = new();
    private readonly CategoryTable _categories = new();

    // Of all segments that were taken.
    private readonly ConditionalWeakTable<Segment, object> _known = [];
    private readonly List<WeakReference> _taken = [];

    /// <param name="makingMemory">Called before the memory of a segment is made, which then stays; null: it is given back when it is not needed.</param>
    public QueueHarness(
        QueueRules? rules = null, int maxQueueLength = 100_000, long maxQueueMemory = 256 << 10, TimeProvider? timeProvider = null, int requestedSegment = 0,
        Action? makingMemory = null)
    {
        TimeProvider = timeProvider ?? TimeProvider.System;
        Category = _categories.Add("Test");
        var bounds = QueueBounds.For(64 << 10, requestedSegment, maxQueueMemory, maxQueueLength);
        Queue = new SegmentQueue(bounds, rules ?? new QueueRules(), TimeProvider, Metrics, Usage, memoryOf: makingMemory is null ? null : _ =>
        {
            makingMemory();
            return new SegmentMemory(bounds.Slots, bounds.SegmentBytes);
        });
    }

    public TimeProvider TimeProvider { get; }

    public SinkMetrics Metrics { get; } = new();

    /// <summary>What it shares with other queues of its instance.</summary>
    public InstanceQueueState Usage { get; } = new();

    public SegmentQueue Queue { get; }

    public int Category { get; }

    /// <summary>Segments that were taken and whose memory is not given back.</summary>
    public int SegmentsAlive
    {
        get
        {
            GC.Collect();
            return _taken.Count(static segment => segment.IsAlive);
        }
    }

    /// <summary>True if something woke the worker since the last time.</summary>
    public bool IsWorkerWoken => Queue.Signal.Wait(TimeSpan.FromTicks(1));

    /// <summary>Makes a second category.</summary>
    public int AddCategory(string name) => _categories.Add(name);

    /// <param name="category">Its number; null: that of <see cref="Category"/>.</param>
    public WriteOutcome Write(string text, LogLevel level = LogLevel.Information, long ticks = 1, int? category = null)
        => Queue.TryWrite(Encoding.UTF8.GetBytes(text), level, ticks, category ?? Category);

    public WriteOutcome Write(int length, LogLevel level = LogLevel.Information)
    {
        var outcome = Queue.TryWrite(new byte[length], level, 1, Category);
        if (outcome != WriteOutcome.Accepted)
            Refused++;
        return outcome;
    }

    /// <summary>Records of a length that were refused.</summary>
    public int Refused { get; private set; }

    /// <summary>Takes one segment, gives its text, and settles it as written.</summary>
    // Not inlined: a local of the test would keep the segment.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public string? TakeText()
    {
        var segment = Queue.Take(sealCurrent: true);
        if (segment is null)
            return null;
        if (_known.TryAdd(segment, _known))
            _taken.Add(new WeakReference(segment));
        Load(segment);
        var text = Encoding.UTF8.GetString(_batch.Bytes.Span);
        Queue.Settle(segment, _batch);
        return text;
    }

    public LogBatch Load(Segment segment)
    {
        Assert.True(segment.TryCountLevels());
        _batch.Load(segment.Memory, segment.Count, segment.ByteCount, _categories);
        return _batch;
    }

    public QueueSnapshot Snapshot()
    {
        var snapshot = new QueueSnapshot();
        lock (Metrics.Gate)
            Queue.AddTo(snapshot);
        return snapshot;
    }

    /// <summary>The counters add up: what was accepted is written, dropped, waiting or in flight.</summary>
    public void AssertConservation(long accepted)
    {
        var snapshot = Snapshot();
        Assert.Equal(accepted, Metrics.Written + Metrics.Drops.AfterAcceptance + snapshot.Waiting + snapshot.InFlight);
        var enqueued = Enumerable.Range(0, 6).Sum(level => Metrics.SettledOf((LogLevel)level) + snapshot.Levels[level]);
        Assert.Equal(accepted, enqueued);
        Assert.Equal(Metrics.Accepted, Metrics.Settled + snapshot.Unsettled);
    }
}
