namespace AsyncLog;

/// <summary>Speaks through the context of the instance.</summary>
internal sealed class ContextExportVoice(SinkContext context) : IExportVoice
{
    private readonly ConnectionReports _connections = new(context, "tcp");

    public void Report(SelfReportLevel severity, string condition, string message) => context.Report(severity, condition, message);

    public void Resolve(string condition, string message) => context.Resolve(condition, message);

    public void CountError(string errorType, string message) => context.CountError(errorType, message);

    public void Degrade(string reason, bool isPermanent) => context.Degrade(reason, isPermanent);

    public void Restore(string reason) => context.Restore(reason);

    public void Connected(string target, string tlsProtocol) => _connections.Connected(target, tlsProtocol);

    public void ConnectFailed(string target, LogSinkException exception) => _connections.Failed(target, exception);

    public void BatchRejected(string status, int records, string message) => context.Events.BatchRejected(status, records, message);
}
