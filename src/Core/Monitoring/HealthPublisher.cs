using System.Diagnostics.Metrics;

namespace AsyncLog;

/// <summary>Looks at every instance of a container once a second: history and rates, states and their changes. The only reader of the books that
/// runs by itself, so a hung worker is noticed too; no data path depends on it, and it never touches that of the callers.</summary>
internal sealed class HealthPublisher(TimeProvider timeProvider, SelfReport selfReport) : IDisposable
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    // What a shutdown waits at most for a look that runs: a listener may hang in it.
    private static readonly TimeSpan LongestLook = TimeSpan.FromMilliseconds(100);

    // Protects the fields.
    private readonly Lock _gate = new();

    // Held while it looks: a look that takes longer than the period is not begun again.
    private readonly Lock _looking = new();
    private SinkLoggerProvider[] _providers = [];
    private int _ended;
    private IDisposable? _timer;
    private SinkMeter? _meter;
    private bool _isDisposed;

    /// <summary>What is measured batch by batch; costs something only while a listener is attached.</summary>
    public SinkHistograms Histograms { get; } = new();

    /// <summary>Whether it looks by itself.</summary>
    public bool IsRunning => Volatile.Read(ref _timer) is not null;

    /// <summary>A provider has started its instances.</summary>
    public void Add(SinkLoggerProvider provider)
    {
        lock (_gate)
            Volatile.Write(ref _providers, [.. _providers, provider]);
    }

    /// <summary>Begins to look, and publishes the meter.</summary>
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
                _meter = new SinkMeter(SinkMeter.Create(meters), ReadAll, Histograms);
                Array.ForEach(_providers, provider => provider.PublishTo(_meter));
            });
            Volatile.Write(ref _timer, StartTimer());
        }
    }

    /// <summary>A provider has drained its instances: what became of the last records is told, and after the last provider nothing happens any more.</summary>
    public void End(SinkLoggerProvider provider)
    {
        // Not beside a look that runs: both would report the same losses.
        var isAlone = _looking.TryEnter(LongestLook);
        try
        {
            Guard(() => provider.Look(isLast: true, meter: null));
        }
        finally
        {
            if (isAlone)
                _looking.Exit();
        }

        lock (_gate)
        {
            if (++_ended == _providers.Length)
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

    // It outlives whatever request or activity it is started in.
    private IDisposable StartTimer()
    {
        if (timeProvider == TimeProvider.System)
            return PeriodicThread.Start("AsyncLog health", Period, Look);
        using (ExecutionContext.SuppressFlow())
            return timeProvider.CreateTimer(static publisher => ((HealthPublisher)publisher!).Look(), this, Period, Period);
    }

    private void Look()
    {
        if (!_looking.TryEnter())
            return;
        try
        {
            Guard(() =>
            {
                var meter = Volatile.Read(ref _meter);
                foreach (var provider in Volatile.Read(ref _providers))
                    provider.Look(isLast: false, meter);
            });
        }
        finally
        {
            _looking.Exit();
        }
    }

    // On a timer's thread an exception would end the process, at shutdown it would reach the code that disposes.
    private void Guard(Action look)
    {
        try
        {
            look();
        }
        catch (Exception exception)
        {
            selfReport.Report(SelfReportLevel.Error, "health", "look", $"cannot look at the instances: {LogSinkException.TextOf(exception)} ({LogSinkException.TypeOf(exception)}).");
        }
    }

    private IReadOnlyList<SinkStatus> ReadAll() => [.. Volatile.Read(ref _providers).SelectMany(static provider => provider.ReadForMetrics())];
}
