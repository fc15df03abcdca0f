using System.Reflection;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Queue;

/// <summary>A queue without a worker: the test plays the worker.</summary>
internal sealed class QueueHarness
{
    private const BindingFlags Private = BindingFlags.Instance | BindingFlags.NonPublic;
    private readonly LogBatch _batch = new();
    private readonly CategoryTable _categories = new();
    private readonly QueueBounds _bounds;

    public QueueHarness(QueueRules? rules = null, int maxQueueLength = 100_000, long maxQueueMemory = 256 << 10, TimeProvider? timeProvider = null, int requestedSegment = 0)
    {
        TimeProvider = timeProvider ?? TimeProvider.System;
        Category = _categories.Add("Test");
        _bounds = QueueBounds.For(64 << 10, requestedSegment, maxQueueMemory, maxQueueLength);
        Queue = new SegmentQueue(_bounds, rules ?? new QueueRules(), TimeProvider, Metrics, Usage);
    }

    public TimeProvider TimeProvider { get; }

    public SinkMetrics Metrics { get; } = new();

    /// <summary>What it shares with other queues of its instance.</summary>
    public InstanceQueueState Usage { get; } = new();

    public SegmentQueue Queue { get; }

    public int Category { get; }

    /// <summary>Segments that are kept, wherever they are.</summary>
    public int Segments => PoolOf(Queue).All.Count;

    public WriteOutcome Write(string text, LogLevel level = LogLevel.Information, long ticks = 1)
        => Queue.TryWrite(Encoding.UTF8.GetBytes(text), level, ticks, Category);

    public WriteOutcome Write(int length, LogLevel level = LogLevel.Information)
    {
        var outcome = Queue.TryWrite(new byte[length], level, 1, Category);
        if (outcome != WriteOutcome.Accepted)
            Refused++;
        return outcome;
    }

    /// <summary>Records of a length that were refused.</summary>
    public int Refused { get; private set; }

    /// <summary>From now on no further segment can be made: it would be larger than any array.</summary>
    public void ExhaustMemory()
    {
        typeof(SegmentPool).GetFields(Private).Single(static field => field.FieldType == typeof(QueueBounds)).SetValue(PoolOf(Queue), _bounds with { SegmentBytes = int.MaxValue });
    }

    /// <summary>Takes one segment, gives its text, and settles it as written.</summary>
    public string? TakeText()
    {
        var segment = Queue.Take(sealCurrent: true);
        if (segment is null)
            return null;
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

    public static SegmentPool PoolOf(SegmentQueue queue) => (SegmentPool)typeof(SegmentQueue).GetField("_pool", Private)!.GetValue(queue)!;
}
