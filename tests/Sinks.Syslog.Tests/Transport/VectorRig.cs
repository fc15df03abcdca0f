using AsyncLog.Tests.Vectors;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>The whole sink for a vector: records have the vector's time, and a test that says what is waited for moves the clock by hand.</summary>
internal sealed class VectorRig : IVectorTarget, IDisposable
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(10);
    private readonly SyslogPipeline _pipeline;

    /// <param name="configure">Sets the options.</param>
    /// <param name="isFake">Whether time passes only while the test waits.</param>
    /// <param name="offset">The zone of the records.</param>
    /// <param name="transport">Makes the transport; null: the real one.</param>
    public VectorRig(
        Action<AsyncSyslogOptions> configure, bool isFake, TimeSpan offset = default,
        CreateTransport? transport = null)
    {
        Time = isFake ? new FakeTimeProvider() : null;
        Clock = new VectorClock(offset, Time, runs: true);
        _pipeline = new SyslogPipeline(configure, transport, Clock);
    }

    public SyslogPipeline Pipeline => _pipeline;

    /// <summary>The clock that the test moves; null: time passes by itself.</summary>
    public FakeTimeProvider? Time { get; }

    public VectorClock Clock { get; }

    public string DefaultCategory => "Shop.Cart";

    public string DefaultMessage => "hello";

    public ILogger Logger(string category) => _pipeline.Factory.CreateLogger(category);

    /// <summary>Waits, and lets time pass meanwhile.</summary>
    public void Wait(Func<bool> condition, TimeSpan? step = null, [System.Runtime.CompilerServices.CallerArgumentExpression(nameof(condition))] string text = "")
        => Eventually.True(condition, () => Time?.Advance(step ?? Step), text: text);

    /// <summary>Waits, and lets time pass only while the worker rests until a time: a slow machine does not lengthen its pauses.</summary>
    public void WaitThroughRests(Func<bool> condition, TimeSpan step, [System.Runtime.CompilerServices.CallerArgumentExpression(nameof(condition))] string text = "")
        => Eventually.True(
            condition,
            () =>
            {
                if (Time is { ArmedOnceCount: > 0 })
                    Time.Advance(step);
            },
            text: text);

    /// <summary>Waits until everything that was logged has its outcome.</summary>
    public void Flush()
    {
        Task<bool> flush = Task.Run(() => _pipeline.Flush(seconds: 600));
        Wait(() => flush.IsCompleted);
        // False where records were dropped: then the counters say so.
        Assert.True(flush.Result || _pipeline.Status.DroppedAfter > 0);
    }

    /// <summary>How long an operation of the transport takes, by the clock that the test moves: the clock stands still while it runs, and moves only up to where it should end.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="wanted">How long it should take.</param>
    /// <param name="hasDeadline">Whether the running operation has begun to count its time; null: when it has been running for a while.</param>
    public double MillisecondsOf(OperationWatch operation, double wanted, Func<bool>? hasDeadline = null)
    {
        TimeSpan almost = TimeSpan.FromMilliseconds(wanted - 40);
        TimeSpan over = TimeSpan.FromMilliseconds(80);
        Wait(() => operation.IsRunning && (hasDeadline is not null || operation.IsHeld));
        if (hasDeadline is not null)
            Eventually.True(hasDeadline);
        TimeSpan began = operation.Began;
        Time!.Advance(almost - (operation.Now - began));
        // One that ends too early ends here.
        operation.LookFor(polls: 25);
        if (operation.IsRunning)
            Time.Advance(over);
        Eventually.True(() => !operation.IsRunning);
        return Math.Round(operation.Took.TotalMilliseconds / 100) * 100;
    }

    public void Dispose() => _pipeline.Dispose();
}

/// <summary>Watches an operation of the transport: when it began, and whether it still runs. The transport's thread begins and ends it, the test's looks.</summary>
internal sealed class OperationWatch(BoundedWait clock)
{
    private const int HeldPolls = 25;
    private readonly long _origin = clock.Now;
    private long _beganAt;
    private long _tookTicks;
    private int _number;
    private volatile bool _isRunning;
    private (int Number, int Polls) _looked;

    public bool IsRunning => _isRunning;

    public TimeSpan Now => clock.Since(_origin);

    public TimeSpan Began => new(Volatile.Read(ref _beganAt));

    /// <summary>The time of the last one that ended.</summary>
    public TimeSpan Took => new(Volatile.Read(ref _tookTicks));

    /// <summary>Whether the same one has been running for a while: it waits for something.</summary>
    public bool IsHeld
    {
        get
        {
            LookFor(HeldPolls);
            return _looked.Polls >= HeldPolls;
        }
    }

    /// <summary>Looks at a running operation a number of times; no time passes.</summary>
    public void LookFor(int polls)
    {
        _looked = (Volatile.Read(ref _number), 0);
        Eventually.True(() => !_isRunning || Volatile.Read(ref _number) != _looked.Number || ++_looked.Polls >= polls);
    }

    /// <summary>Begins one; it ends when this is disposed.</summary>
    public Running Begin()
    {
        Volatile.Write(ref _beganAt, Now.Ticks);
        Interlocked.Increment(ref _number);
        _isRunning = true;
        return new Running(this);
    }

    private void End()
    {
        Volatile.Write(ref _tookTicks, Now.Ticks - Volatile.Read(ref _beganAt));
        _isRunning = false;
    }

    /// <summary>One that runs.</summary>
    internal readonly struct Running(OperationWatch owner) : IDisposable
    {
        public void Dispose() => owner.End();
    }
}
