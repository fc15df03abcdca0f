using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Records what a sink reports.</summary>
internal sealed class CapturingContext(TimeProvider timeProvider)
    : SinkContext("file/test", timeProvider, application: null, new InstanceEvents("file/test", timeProvider))
{
    private readonly Lock _gate = new();
    private readonly List<(LogLevel Severity, string Condition, string Message)> _reports = [];
    private int _wakes;

    /// <summary>What a sink measures, by name; the totals continue after a restart.</summary>
    public Dictionary<string, SinkInstrument> Instruments { get; } = [];

    public IReadOnlyList<(LogLevel Severity, string Condition, string Message)> Reports
    {
        get
        {
            lock (_gate)
                return [.. _reports];
        }
    }

    /// <summary>What the platform lacks, reported at the start.</summary>
    public List<(LogLevel Severity, string Condition, string Message)> Limitations { get; } = [];

    public List<string> Errors { get; } = [];

    public List<string> Resolved { get; } = [];

    /// <summary>The last message with which a condition was resolved, by condition.</summary>
    public Dictionary<string, string> ResolvedMessages { get; } = [];

    /// <summary>The conditions that hold now.</summary>
    public List<string> Degraded { get; } = [];

    public string? Target { get; private set; }

    public int Uncertain { get; private set; }

    /// <summary>How often the worker was woken.</summary>
    public int Wakes => Volatile.Read(ref _wakes);

    internal override SinkInstrument CreateInstrument(string name, SinkInstrumentKind kind, string unit, string description) =>
        Instruments[name] = base.CreateInstrument(name, kind, unit, description);

    public override void Report(LogLevel severity, string condition, string message)
    {
        // Most tests expect the same reports on each platform.
        lock (_gate)
        {
            (condition == "platform" ? Limitations : _reports).Add((severity, condition, message));
        }
    }

    public override void ReportRecovery(string condition, string message)
    {
        lock (_gate)
        {
            Resolved.Add(condition);
            ResolvedMessages[condition] = message;
        }
    }

    public override void CountError(string errorType, string? message = null)
    {
        lock (_gate)
            Errors.Add(errorType);
    }

    public override void Degrade(string reason, bool isPermanent = false) => Degraded.Add(reason);

    public override void Restore(string reason) => Degraded.Remove(reason);

    internal override void CountUncertain(int records) => Uncertain += records;

    public override void SetTarget(string target) => Target = target;

    public override void Wake() => Interlocked.Increment(ref _wakes);
}
