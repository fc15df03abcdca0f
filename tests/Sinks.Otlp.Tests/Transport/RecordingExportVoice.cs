using System.Collections.Concurrent;

namespace AsyncLog.Tests.Transport;

/// <summary>Keeps what a sink says and counts, and passes it on to the instance.</summary>
internal sealed class RecordingExportVoice : IExportVoice
{
    private readonly ConcurrentQueue<string> _errors = new();
    private readonly ConcurrentQueue<(string Condition, string Message)> _reports = new();

    public IExportVoice? Next { get; set; }

    public IReadOnlyList<string> Errors => [.. _errors];

    public IReadOnlyList<(string Condition, string Message)> Reports => [.. _reports];

    public void Report(SelfReportLevel severity, string condition, string message)
    {
        _reports.Enqueue((condition, message));
        Next?.Report(severity, condition, message);
    }

    public void Resolve(string condition, string message) => Next?.Resolve(condition, message);

    public void CountError(string errorType)
    {
        _errors.Enqueue(errorType);
        Next?.CountError(errorType);
    }

    public void Degrade(string reason) => Next?.Degrade(reason);

    public void Restore(string reason) => Next?.Restore(reason);

    public void Connected(string target, string tlsProtocol) => Next?.Connected(target, tlsProtocol);

    public void ConnectFailed(string target, LogSinkException exception) => Next?.ConnectFailed(target, exception);

    public void BatchRejected(string status, int records, string message) => Next?.BatchRejected(status, records, message);
}
