using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Kernel;

/// <summary>Callers and a worker that use the kernel of a queue as <c>SegmentQueue</c> does, with a check of what arrives. New for each interleaving.</summary>
internal sealed class KernelScenario
{
    private const int Longest = 32;
    private readonly object _gate = new();
    private readonly Plan _plan;
    private readonly SegmentPool _pool;

    // The store buffers keep addresses.
    private readonly SegmentKernel[] _kernel = GC.AllocateArray<SegmentKernel>(1, pinned: true);
    private readonly List<int> _recycled = [];
    private readonly bool[] _accepted;
    private readonly bool[] _written;
    private readonly int[] _newest;
    private long _sequence;
    private int _opened;
    private bool _isEnded;

    public KernelScenario(Plan plan)
    {
        _plan = plan;
        var slots = plan.SlotLimits.Max();
        _pool = new SegmentPool(new QueueBounds(plan.Segments, slots, 32 * slots));
        _kernel[0] = new SegmentKernel(_gate, _pool, new WorkerSignal());
        var records = plan.Records.Sum();
        (_accepted, _written, _newest) = (new bool[records], new bool[records], [.. plan.Records.Select(static _ => -1)]);
        var bodies = new List<Action>();
        var names = new List<string>();
        for (var caller = 0; caller < plan.Records.Length; caller++)
        {
            var number = caller;
            bodies.Add(() => Call(number));
            names.Add($"caller {number}");
        }

        bodies.Add(Work);
        names.Add("worker");
        if (plan.Closes)
        {
            bodies.Add(Close);
            names.Add("shutdown");
        }

        (Bodies, Names) = (bodies, names);
    }

    public IReadOnlyList<Action> Bodies { get; }

    public IReadOnlyList<string> Names { get; }

    private ref SegmentKernel Kernel => ref _kernel[0];

    /// <summary>When nothing can move any more: every accepted record is written, except those that a batch delay holds in Current, and every thread has ended, except a worker that
    /// sleeps.</summary>
    public void CheckEnd()
    {
        if (_plan.Holds)
        {
            if (Kernel.HasPosted)
                throw new InvalidOperationException("A segment is full, and the worker sleeps.");
            return;
        }

        for (var record = 0; record < _accepted.Length; record++)
        {
            if (_accepted[record] && !_written[record])
                throw new InvalidOperationException($"Record {record} was accepted, and the worker {(_isEnded ? "has ended" : "sleeps or waits")} without having written it.");
        }

        if (_plan.Closes && !_isEnded)
            throw new InvalidOperationException("The queue is closed, and the worker does not end.");
    }

    /// <summary>Hash of the shared memory, and of what this scenario knows.</summary>
    public ulong Hash(Func<ulong, ulong, ulong> mix)
    {
        var hash = 1UL;
        foreach (var segment in _pool.All)
        {
            hash = mix(hash, (ulong)segment.State);
            hash = mix(hash, ((ulong)segment.SlotLimit << 32) + ((ulong)segment.LowestLevel << 24) + ((ulong)segment.Place << 16) + (ulong)segment.Sequence);
            foreach (var slot in segment.Slots)
                hash = mix(hash, (ulong)slot.Word);
        }

        hash = mix(hash, (ulong)Kernel.WorkerState + (Kernel.IsClosed ? 8UL : 0) + (Kernel.Signal.IsSet ? 16UL : 0) + (_isEnded ? 32UL : 0));
        hash = mix(hash, IdOf(Kernel.Current) + (IdOf(Kernel.InHand) << 8) + ((ulong)_opened << 16));
        for (var segment = Kernel.OldestPosted; segment is not null; segment = segment.Next)
            hash = mix(hash, IdOf(segment) + 64);
        foreach (var index in _recycled)
            hash = mix(hash, (ulong)index);
        for (var record = 0; record < _accepted.Length; record++)
            hash = mix(hash, (_accepted[record] ? 1UL : 0) + (_written[record] ? 2UL : 0));
        return hash;
    }

    private static LogLevel LevelOf(int caller) => caller == 0 ? LogLevel.Information : LogLevel.Warning;

    private static ulong IdOf(Segment? segment) => segment is null ? 0UL : segment.Memory.SlotCapacity == 0 ? 1UL : (ulong)segment.Index + 2;

    private void Call(int caller)
    {
        Span<byte> bytes = stackalloc byte[Longest];
        for (var number = 0; number < _plan.Records[caller]; number++)
        {
            Scheduler.Running!.Forget((ulong)number);
            var record = _plan.Records[..caller].Sum() + number;
            bytes.Fill((byte)(record + 1));
            var length = _plan.Lengths[caller];
            var isAccepted = true;
            while (!Kernel.TryWrite(bytes[..length], LevelOf(caller), record, caller, null))
            {
                isAccepted = TryRotate(length, LevelOf(caller));
                if (!isAccepted)
                    break;
            }

            if (!isAccepted)
                continue;
            Kernel.WakeAfterCommit(isUrgent: false);
            _accepted[record] = true;
        }
    }

    // As SegmentQueue.Rotate. False: the record is refused.
    private bool TryRotate(int length, LogLevel level)
    {
        Monitor.Enter(_gate);
        var current = Kernel.Current;
        var word = Volatile.Read(ref current.State);
        var isOpen = !StateWord.IsSealed(word);
        var hasSpace = isOpen && current.Fits(word, length, level);
        if (!hasSpace && !Kernel.IsClosed)
        {
            if (isOpen)
                NoteRecycled(Kernel.SealAndPost());
            hasSpace = TryOpen();
        }

        Check();
        Monitor.Exit(_gate);
        Kernel.WakeAfterRotation(isFilling: false);
        return hasSpace;
    }

    private bool TryOpen()
    {
        if (_pool.All.Count(static segment => segment.Place != Segment.Location.Pool) >= _plan.Segments)
            return false;
        Kernel.Open(++_sequence, _plan.SlotLimits[_opened % _plan.SlotLimits.Length], _plan.LowestLevels[_opened % _plan.LowestLevels.Length]);
        _opened++;
        return true;
    }

    // As SinkWorker.Step.
    private void Work()
    {
        while (true)
        {
            Scheduler.Running!.Forget(0);
            Monitor.Enter(_gate);
            var seals = Kernel.WouldSealCurrent && !_plan.Holds;
            var segment = Kernel.Take(sealCurrent: !_plan.Holds);
            if (segment is not null && seals && !Kernel.IsClosed)
                TryOpen();
            var isDrained = segment is null && Kernel.IsClosed;
            Check();
            Monitor.Exit(_gate);
            if (isDrained)
                break;
            if (segment is null && _plan.Holds)
            {
                if (Kernel.TryHold())
                    Kernel.Signal.Wait();
                Kernel.EndSleep();
                continue;
            }

            if (segment is null)
            {
                if (Kernel.TryPark() && !Kernel.IsClosed)
                    Kernel.Signal.Wait();
                Kernel.EndSleep();
                continue;
            }

            while (!segment.TryCountLevels())
                Scheduler.Running!.WaitUntil("waits for commits", () => segment.AddCommitted(new long[DropCounts.Levels]) >= segment.Count);
            Write(segment);
            Monitor.Enter(_gate);
            Kernel.Recycle(segment);
            NoteRecycled(segment);
            Check();
            Monitor.Exit(_gate);
        }

        _isEnded = true;
    }

    // The sink: what it is given must be what the callers wrote, each record once and those of a caller in order.
    private void Write(Segment segment)
    {
        foreach (var slot in segment.Slots[..segment.Count])
        {
            Debug.Assert(Slot.IsCommitted(slot.Word), "A record is written before its commit.");
            var (record, caller) = ((int)slot.Ticks, Slot.Category(slot.Word));
            var bytes = segment.Bytes.Span.Slice(Slot.Offset(slot.Word), Slot.Length(slot.Word));
            Debug.Assert(bytes.Length == _plan.Lengths[caller] && bytes.IndexOfAnyExcept((byte)(record + 1)) < 0, "The bytes of a record are not those of its caller.");
            Debug.Assert((int)Slot.Level(slot.Word) >= segment.LowestLevel, "A record is in a segment that is for higher levels.");
            Debug.Assert(!_written[record], "A record is written twice.");
            Debug.Assert(record > _newest[caller], "The records of a caller change their order.");
            (_written[record], _newest[caller]) = (true, record);
        }
    }

    // As SegmentQueue.Close.
    private void Close()
    {
        Monitor.Enter(_gate);
        if (!StateWord.IsSealed(Kernel.CurrentWord))
            NoteRecycled(Kernel.SealAndPost());
        Kernel.Close();
        Check();
        Monitor.Exit(_gate);
        Kernel.Wake();
    }

    private void NoteRecycled(Segment segment)
    {
        if (segment.Place != Segment.Location.Pool)
            return;
        _recycled.Remove(segment.Index);
        _recycled.Add(segment.Index);
    }

    private void Check() => Scheduler.Quietly(() => Kernel.CheckInvariants());
}

/// <summary>A scenario: who does how much.</summary>
/// <param name="Name">What it is.</param>
/// <param name="Records">Records of each caller.</param>
/// <param name="Lengths">Bytes of the records of each caller.</param>
/// <param name="SlotLimits">Record limits of the segments, in the order in which they are opened, over and over.</param>
/// <param name="Segments">Segments of the queue.</param>
/// <param name="Closes">True if the queue is closed meanwhile.</param>
/// <param name="BuffersStores">True to model store buffers.</param>
/// <param name="PreemptionBound">How often a thread that could go on may be interrupted.</param>
internal sealed record Plan(string Name, int[] Records, int[] Lengths, int[] SlotLimits, int Segments = 2, bool Closes = false, bool BuffersStores = false, int PreemptionBound = 2)
{
    /// <summary>The lowest level of the segments, in the order in which they are opened, over and over.</summary>
    public LogLevel[] LowestLevels { get; init; } = [LogLevel.Trace];

    /// <summary>True if the worker leaves Current open, as with a batch delay that never ends.</summary>
    public bool Holds { get; init; }

    public static IReadOnlyList<Plan> All { get; } =
    [
        new("one caller", [2], [8], [1], BuffersStores: true, PreemptionBound: 4),
        new("two callers, store buffers", [1, 1], [8, 8], [2], BuffersStores: true),
        new("three records in segments of one", [2, 1], [8, 8], [1]),
        new("limits that differ between lives", [2, 2], [8, 8], [2, 1]),
        new("the third segment is for the second caller", [1, 2], [8, 8], [1]) { LowestLevels = [LogLevel.Trace, LogLevel.Trace, LogLevel.Warning] },
        new("records of different lengths", [2, 2], [8, 24], [3]),
        new("a batch delay", [2], [8], [1], BuffersStores: true, PreemptionBound: 4) { Holds = true },
        new("shutdown", [1, 1], [8, 8], [1], Closes: true),
    ];
}
