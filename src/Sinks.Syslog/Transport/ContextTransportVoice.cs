namespace AsyncLog;

/// <summary>Speaks through the context of the instance.</summary>
internal sealed class ContextTransportVoice(SinkContext context, string transport) : ITransportVoice
{
    private readonly ConnectionReports _connections = new(context, transport);

    public void Report(SelfReportLevel severity, string condition, string message) => context.Report(severity, condition, message);

    public void Resolve(string condition, string message) => context.Resolve(condition, message);

    public void CountError(string errorType) => context.CountError(errorType);

    public void CountUncertain(int records) => context.CountUncertain(records);

    public void CountCut(bool isFirstCut, int droppedParameters)
    {
        if (isFirstCut)
            context.CountTruncated();
        if (droppedParameters > 0)
            context.CountLeftOut(droppedParameters);
    }

    public void Connected(string target, string tlsProtocol) => _connections.Connected(target, tlsProtocol);

    public void ConnectFailed(string target, LogSinkException exception) => _connections.Failed(target, exception);

    public void ConnectionLost(string target, string errorType) => _connections.Lost(target, errorType);
}
