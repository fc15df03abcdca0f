using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>Records what a sink reports and counts, and passes it to its instance where there is one.</summary>
internal sealed class RecordingContext : SinkContext
{
    private readonly SinkContext? _instance;
    private readonly ConcurrentQueue<string> _errors = new();
    private readonly ConcurrentQueue<(string Condition, string Message)> _reports = new();

    public RecordingContext()
        : this(null, new RecordingEvents())
    {
    }

    public RecordingContext(SinkContext instance)
        : this(instance, instance.Events)
    {
        IsReload = instance.IsReload;
    }

    private RecordingContext(SinkContext? instance, SinkEvents events)
        : base(instance?.Name ?? "syslog/test", instance?.TimeProvider, instance?.Application, events) => _instance = instance;

    public IReadOnlyList<string> Errors => [.. _errors];

    public IReadOnlyList<(string Condition, string Message)> Reports => [.. _reports];

    public List<string> Resolved { get; } = [];

    public int Uncertain { get; private set; }

    public int Truncated { get; private set; }

    public int LeftOut { get; private set; }

    /// <summary>Connections that ended; without an instance.</summary>
    public int Losses => ((RecordingEvents)Events).Losses;

    public override void Wake() => _instance?.Wake();

    public override void Report(LogLevel severity, string condition, string message)
    {
        _reports.Enqueue((condition, message));
        _instance?.Report(severity, condition, message);
    }

    public override void ReportRecovery(string condition, string message)
    {
        Resolved.Add(condition);
        _instance?.ReportRecovery(condition, message);
    }

    public override void CountError(string errorType, string? message = null)
    {
        _errors.Enqueue(errorType);
        _instance?.CountError(errorType, message);
    }

    public override void Degrade(string reason, bool isPermanent = false) => _instance?.Degrade(reason, isPermanent);

    public override void Restore(string reason) => _instance?.Restore(reason);

    internal override void CountUncertain(int records)
    {
        Uncertain += records;
        _instance?.CountUncertain(records);
    }

    public override void CountTruncated()
    {
        Truncated++;
        _instance?.CountTruncated();
    }

    internal override void CountLeftOut(int properties)
    {
        LeftOut += properties;
        _instance?.CountLeftOut(properties);
    }

    public override void SetTarget(string target) => _instance?.SetTarget(target);

    public override void SetServer(string address, int? port) => _instance?.SetServer(address, port);

    internal override SinkInstrument CreateInstrument(string name, SinkInstrumentKind kind, string unit, string description)
        => _instance?.CreateInstrument(name, kind, unit, description) ?? base.CreateInstrument(name, kind, unit, description);

    internal override void PublishPropertiesLeftOut(string name, string unit, string description)
        => _instance?.PublishPropertiesLeftOut(name, unit, description);

    private sealed class RecordingEvents : SinkEvents
    {
        private const int ConnectionLostId = 41;

        public int Losses { get; private set; }

        protected override void WriteFailure(int id, (string What, string ErrorType) kind, string? message, params ReadOnlySpan<object?> payload)
            => Losses += id == ConnectionLostId ? 1 : 0;
    }
}
