using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>Keeps what sinks report and count.</summary>
internal sealed class RecordedDiagnostics
{
    private readonly ConcurrentQueue<string> _errors = new();
    private readonly ConcurrentQueue<(string Condition, string Message)> _reports = new();
    private readonly ConcurrentQueue<string> _resolved = new();

    /// <summary>Classes of the errors that were counted and not thrown.</summary>
    public IReadOnlyList<string> Errors => [.. _errors];

    public IReadOnlyList<(string Condition, string Message)> Reports => [.. _reports];

    /// <summary>Conditions that were resolved, reported before or not.</summary>
    public IReadOnlyList<string> Resolved => [.. _resolved];

    /// <summary>A context that records the calls and passes them on to the instance.</summary>
    public SinkContext Around(SinkContext instance) => new Context(this, instance);

    private sealed class Context(RecordedDiagnostics recorded, SinkContext instance) : SinkContext(instance.Name, instance.TimeProvider, instance.Application, instance.Events)
    {
        public override void Report(LogLevel severity, string condition, string message)
        {
            recorded._reports.Enqueue((condition, message));
            instance.Report(severity, condition, message);
        }

        public override void ReportRecovery(string condition, string message)
        {
            recorded._resolved.Enqueue(condition);
            instance.ReportRecovery(condition, message);
        }

        public override void CountError(string errorType, string? message = null)
        {
            recorded._errors.Enqueue(errorType);
            instance.CountError(errorType, message);
        }

        internal override void CountUncertain(int records) => instance.CountUncertain(records);

        public override void Degrade(string reason, bool isPermanent = false) => instance.Degrade(reason, isPermanent);

        public override void Restore(string reason) => instance.Restore(reason);
    }
}
