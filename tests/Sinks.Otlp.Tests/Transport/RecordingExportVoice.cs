using System.Collections.Concurrent;

namespace AsyncLog.Tests.Transport;

/// <summary>Keeps what a sink says and counts, and passes it on to the instance.</summary>
internal sealed class RecordingExportVoice : IExportVoice
{
    private readonly ConcurrentQueue<string> _errors = new();
    private readonly ConcurrentQueue<(string Condition, string Message)> _reports = new();
    private readonly ConcurrentQueue<string> _resolved = new();
    private readonly ConcurrentQueue<string> _failedConnections = new();

    public IExportVoice? Next { get; set; }

    public IReadOnlyList<string> Errors => [.. _errors];

    public IReadOnlyList<(string Condition, string Message)> Reports => [.. _reports];

    /// <summary>Conditions that were said to be over, reported before or not.</summary>
    public IReadOnlyList<string> Resolved => [.. _resolved];

    /// <summary>Classes of the connections that could not be made.</summary>
    public IReadOnlyList<string> FailedConnections => [.. _failedConnections];

    public void Report(SelfReportLevel severity, string condition, string message)
    {
        _reports.Enqueue((condition, message));
        Next?.Report(severity, condition, message);
    }

    public void Resolve(string condition, string message)
    {
        _resolved.Enqueue(condition);
        Next?.Resolve(condition, message);
    }

    public void CountError(string errorType, string message)
    {
        _errors.Enqueue(errorType);
        Next?.CountError(errorType, message);
    }

    public void Degrade(string reason, bool isPermanent) => Next?.Degrade(reason, isPermanent);

    public void Restore(string reason) => Next?.Restore(reason);

    public void Connected(string target, string tlsProtocol) => Next?.Connected(target, tlsProtocol);

    public void ConnectFailed(string target, LogSinkException exception)
    {
        _failedConnections.Enqueue(exception.ErrorType);
        Next?.ConnectFailed(target, exception);
    }

    public void BatchRejected(string status, int records, string message) => Next?.BatchRejected(status, records, message);
}
