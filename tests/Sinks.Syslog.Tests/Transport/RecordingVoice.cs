using System.Collections.Concurrent;

namespace AsyncLog.Tests.Transport;

/// <summary>Keeps what a transport says and counts.</summary>
internal sealed class RecordingVoice : ITransportVoice
{
    private readonly ConcurrentQueue<string> _errors = new();
    private readonly ConcurrentQueue<(string Condition, string Message)> _reports = new();

    public IReadOnlyList<string> Errors => [.. _errors];

    public IReadOnlyList<(string Condition, string Message)> Reports => [.. _reports];

    public List<string> Resolved { get; } = [];

    public int Uncertain { get; private set; }

    public int FirstCuts { get; private set; }

    public int Cuts { get; private set; }

    public int DroppedParameters { get; private set; }

    public int Connects { get; private set; }

    public int FailedConnects { get; private set; }

    public int Losses { get; private set; }

    public void Report(SelfReportLevel severity, string condition, string message) => _reports.Enqueue((condition, message));

    public void Resolve(string condition, string message) => Resolved.Add(condition);

    public void CountError(string errorType) => _errors.Enqueue(errorType);

    public void CountUncertain(int records) => Uncertain += records;

    public void CountCut(bool isFirstCut, int droppedParameters)
    {
        Cuts++;
        FirstCuts += isFirstCut ? 1 : 0;
        DroppedParameters += droppedParameters;
    }

    public void Connected(string target, string tlsProtocol) => Connects++;

    public void ConnectFailed(string target, LogSinkException exception) => FailedConnects++;

    public void ConnectionLost(string target, string errorType) => Losses++;
}
