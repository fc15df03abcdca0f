namespace AsyncLog.Tests;

/// <summary>Remembers what a sink says.</summary>
internal sealed class CapturingVoice(TimeProvider timeProvider) : IFileVoice
{
    private readonly Lock _gate = new();
    private readonly List<(SelfReportLevel Severity, string Condition, string Message)> _reports = [];
    private int _wakes;

    public TimeProvider TimeProvider { get; } = timeProvider;

    public SinkEvents Events { get; } = new InstanceEvents("file/test", timeProvider);

    /// <summary>What a sink measures, by name: it goes on after a restart.</summary>
    public Dictionary<string, SinkInstrument> Instruments { get; } = [];

    public IReadOnlyList<(SelfReportLevel Severity, string Condition, string Message)> Reports
    {
        get
        {
            lock (_gate)
                return [.. _reports];
        }
    }

    public List<string> Errors { get; } = [];

    public List<string> Resolved { get; } = [];

    /// <summary>The conditions that hold now.</summary>
    public List<string> Degraded { get; } = [];

    public string? Target { get; private set; }

    public void Report(SelfReportLevel severity, string condition, string message)
    {
        lock (_gate)
            _reports.Add((severity, condition, message));
    }

    public void Resolve(string condition, string message)
    {
        lock (_gate)
            Resolved.Add(condition);
    }

    public void CountError(string errorType)
    {
        lock (_gate)
            Errors.Add(errorType);
    }

    public SinkInstrument CreateInstrument(string name, SinkInstrumentKind kind, string unit, string description)
    {
        if (!Instruments.TryGetValue(name, out SinkInstrument? known))
            Instruments.Add(name, known = new SinkInstrument(name, kind, unit, description));
        return known;
    }

    public void Degrade(string reason) => Degraded.Add(reason);

    public void Restore(string reason) => Degraded.Remove(reason);

    public void SetTarget(string target) => Target = target;

    /// <summary>How often the worker was woken.</summary>
    public int Wakes => Volatile.Read(ref _wakes);

    public void Wake() => Interlocked.Increment(ref _wakes);
}
