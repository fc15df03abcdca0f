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
        Action<AsyncSyslogLoggerOptions> configure, bool isFake, TimeSpan offset = default,
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

    /// <summary>Waits, and lets time pass only when a wait that a clock bounds has looked at it since the last step.</summary>
    public void WaitThroughReadings(
        Func<bool> condition, WatchedClock clock, TimeSpan step, [System.Runtime.CompilerServices.CallerArgumentExpression(nameof(condition))] string text = "")
    {
        int seen = clock.Readings;
        Eventually.True(
            condition,
            () =>
            {
                if (clock.Readings == seen)
                    return;
                Time!.Advance(step);
                seen = clock.Readings;
            },
            text: text);
    }

    /// <summary>Waits until everything that was logged has its outcome.</summary>
    public void Flush()
    {
        Task<bool> flush = Task.Run(() => _pipeline.Flush(seconds: 600));
        Wait(() => flush.IsCompleted);
        // False where records were dropped: then the counters say so.
        Assert.True(flush.Result || _pipeline.Status.DroppedAfterAcceptance > 0);
    }

    /// <summary>How long an operation of the transport takes, by the clock that the test moves: the clock stands still while it runs, and moves only up to where it should end.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="wanted">How long it should take.</param>
    /// <param name="hasDeadline">Whether the running operation has begun to count its time; null: when it has looked at its clock again and again.</param>
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
        operation.LookAgain();
        if (operation.IsRunning)
            Time.Advance(over);
        Eventually.True(() => !operation.IsRunning);
        return Math.Round(operation.Took.TotalMilliseconds / 100) * 100;
    }

    public void Dispose() => _pipeline.Dispose();
}

/// <summary>A clock that counts how often it is read: a wait that it bounds reads it again and again.</summary>
internal sealed class WatchedClock(TimeProvider clock) : TimeProvider
{
    private readonly long _origin = clock.GetTimestamp();
    private int _readings;

    public int Readings => Volatile.Read(ref _readings);

    /// <summary>The time since it was made; this reading does not count.</summary>
    public TimeSpan Now => clock.GetElapsedTime(_origin);

    public override TimeZoneInfo LocalTimeZone => clock.LocalTimeZone;

    public override long TimestampFrequency => clock.TimestampFrequency;

    public override DateTimeOffset GetUtcNow() => clock.GetUtcNow();

    public override long GetTimestamp()
    {
        Interlocked.Increment(ref _readings);
        return clock.GetTimestamp();
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        => clock.CreateTimer(callback, state, dueTime, period);
}

/// <summary>Watches an operation of the transport: when it began, and whether it still runs. The transport's thread begins and ends it, the test's looks.</summary>
/// <param name="clock">The clock by which the operation waits.</param>
internal sealed class OperationWatch(WatchedClock clock)
{
    // More than an operation reads the clock before it waits. How long a busy machine keeps its thread from running proves nothing.
    private const int ReadingsOfWait = 25;

    // One may have been made before the clock was moved, the next one begins after that.
    private const int ReadingsAfterMove = 2;
    private long _beganAt;
    private long _tookTicks;
    private int _readBefore;
    private int _number;
    private volatile bool _isRunning;

    public bool IsRunning => _isRunning;

    public TimeSpan Now => clock.Now;

    public TimeSpan Began => new(Volatile.Read(ref _beganAt));

    /// <summary>The time of the last one that ended.</summary>
    public TimeSpan Took => new(Volatile.Read(ref _tookTicks));

    /// <summary>Whether the one that runs waits for something, and counts its time. No time passes meanwhile.</summary>
    public bool IsHeld
    {
        get
        {
            int number = Volatile.Read(ref _number);
            Eventually.True(() => !IsStill(number) || clock.Readings - Volatile.Read(ref _readBefore) >= ReadingsOfWait);
            return IsStill(number);
        }
    }

    /// <summary>Lets a running operation look at the clock after it was moved.</summary>
    public void LookAgain()
    {
        int before = clock.Readings;
        int number = Volatile.Read(ref _number);
        Eventually.True(() => !IsStill(number) || clock.Readings - before >= ReadingsAfterMove);
    }

    /// <summary>Begins one; it ends when this is disposed.</summary>
    public Running Begin()
    {
        Volatile.Write(ref _beganAt, Now.Ticks);
        Volatile.Write(ref _readBefore, clock.Readings);
        Interlocked.Increment(ref _number);
        _isRunning = true;
        return new Running(this);
    }

    private bool IsStill(int number) => _isRunning && Volatile.Read(ref _number) == number;

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
