using System.Diagnostics.Metrics;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Samples every instance of a container once a second: history and rates, states and their changes. It runs by itself, so a worker that hangs is
/// noticed too; no data path depends on it, and it takes no lock that a caller of a logger waits for longer than a snapshot.</summary>
internal sealed class InstanceSampler(TimeProvider timeProvider, SelfReport selfReport) : IDisposable
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    // The time a shutdown waits at most for a running sample: a listener may hang in it.
    private static readonly TimeSpan MaxSampleTime = TimeSpan.FromMilliseconds(100);

    // Protects the fields.
    private readonly Lock _gate = new();

    // Held while it samples: a sample that takes longer than the period is not started twice.
    private readonly Lock _sampling = new();
    private Source[] _sources = [];
    private int _ended;
    private IDisposable? _timer;
    private SinkMeter? _meter;
    private bool _isDisposed;

    /// <summary>The histograms of the meter; they cost something only while a listener is attached.</summary>
    public MeterHistograms Histograms { get; } = new();

    /// <summary>Returns the number of objects that could not be serialized.</summary>
    public Func<long> FailedObjects { get; init; } = static () => 0;

    /// <summary>Adds the instances of a provider, after they were started.</summary>
    public void Add(Source source)
    {
        lock (_gate)
            Volatile.Write(ref _sources, [.. _sources, source]);
    }

    /// <summary>Starts sampling, and publishes the meter.</summary>
    /// <param name="meters">Makes the meter; null: it is made here.</param>
    public void Start(IMeterFactory? meters)
    {
        lock (_gate)
        {
            if (_isDisposed || _timer is not null)
                return;
            // Listeners are notified of each instrument at once, and may throw: the application starts without its metrics rather than not at all.
            Guard(() =>
            {
                _meter = new SinkMeter(SinkMeter.Create(meters), ReadAll, Histograms, FailedObjects);
                foreach (var monitor in _sources.SelectMany(static source => source.Monitors()))
                    _meter.Publish(monitor.Instance.State.Instruments.All);
            });
            Volatile.Write(ref _timer, StartTimer());
        }
    }

    /// <summary>Takes the last sample of a provider that has drained its instances, so that its last losses are reported. Sampling stops after the last provider.</summary>
    public void End(Source source)
    {
        // Never concurrent with a running sample: both would report the same losses.
        var isAlone = _sampling.TryEnter(MaxSampleTime);
        try
        {
            Guard(() => Sample(source, isLast: true, meter: null));
        }
        finally
        {
            if (isAlone)
                _sampling.Exit();
        }

        lock (_gate)
        {
            if (++_ended == _sources.Length)
                _timer?.Dispose();
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _timer?.Dispose();
            _meter?.Dispose();
        }
    }

    // It outlives the request or activity it is started in.
    private IDisposable StartTimer()
    {
        if (InstanceClock.WaitsOf(timeProvider) == TimeProvider.System)
            return PeriodicThread.Start("AsyncLog health", Period, Sample);
        using (ExecutionContext.SuppressFlow())
            return timeProvider.CreateTimer(static sampler => ((InstanceSampler)sampler!).Sample(), this, Period, Period);
    }

    private void Sample()
    {
        if (!_sampling.TryEnter())
            return;
        try
        {
            Guard(() =>
            {
                var meter = Volatile.Read(ref _meter);
                foreach (var source in Volatile.Read(ref _sources))
                    Sample(source, isLast: false, meter);
            });
        }
        finally
        {
            _sampling.Exit();
        }
    }

    private static void Sample(Source source, bool isLast, SinkMeter? meter)
    {
        foreach (var monitor in source.Monitors())
        {
            monitor.Sample(isLast);
            // A sink may create instruments at any time.
            meter?.Publish(monitor.Instance.State.Instruments.All);
        }

        source.Sampled();
    }

    // On a timer's thread an exception would end the process, at shutdown it would reach the code that disposes.
    private void Guard(Action sample)
    {
        try
        {
            sample();
        }
        catch (Exception exception)
        {
            selfReport.Report(LogLevel.Error, "health", "sample", $"cannot sample the instances: {LogSinkException.TextOf(exception)} ({LogSinkException.TypeOf(exception)}).");
        }
    }

    private IReadOnlyList<SinkStatus> ReadAll()
        => [.. Volatile.Read(ref _sources).SelectMany(static source => source.Monitors()).Select(static monitor => monitor.Read())];

    /// <summary>The instances of one provider.</summary>
    /// <param name="Monitors">Returns them; a reload may add some.</param>
    public sealed record Source(Func<InstanceMonitor[]> Monitors, Action Sampled);
}

/// <summary>Starts the sampler with the host, when the container is complete: a provider must not resolve a meter factory while loggers are made.</summary>
internal sealed class SamplerHostedService(InstanceSampler sampler, IMeterFactory? meters) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        sampler.Start(meters);
        return Task.CompletedTask;
    }

    // It continues until the providers have drained: losses after the host stopped are reported too.
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}

/// <summary>A timer on a dedicated thread, for the system's clock.</summary>
/// <remarks>One tick of the runtime's timer wakes the timer's thread, the pool's gate and workers that spin for more work: four times the processor
/// time of this, in a process that is idle.</remarks>
internal sealed class PeriodicThread : IDisposable
{
    private const int StackBytes = 256 << 10;
    private readonly WorkerSignal _ended = new(TimeProvider.System);

    private PeriodicThread()
    {
    }

    /// <summary>Begins to call, first after one period.</summary>
    /// <param name="name">The thread's name.</param>
    /// <param name="period">From the end of a call to the next.</param>
    /// <param name="call">Must not throw.</param>
    public static PeriodicThread Start(string name, TimeSpan period, Action call)
    {
        var timer = new PeriodicThread();
        new Thread(() => timer.Run(period, call), StackBytes) { IsBackground = true, Name = name }.UnsafeStart();
        return timer;
    }

    /// <summary>Ends it; a call that runs comes to its end.</summary>
    public void Dispose() => _ended.Set();

    private void Run(TimeSpan period, Action call)
    {
        while (!_ended.Wait(period))
            call();
    }
}
