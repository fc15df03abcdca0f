using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Counts every failed send by class, and tells each class once per episode.</summary>
internal sealed class DatagramReports(ITransportVoice voice, TransportClock clock, string target)
{
    // As long as repeats are held back: a receiver that fails now and then is one episode.
    private static readonly TimeSpan Quiet = TimeSpan.FromMinutes(1);
    private readonly List<string> _open = [];
    private long _lastAt;

    /// <summary>A send failed and is tried again.</summary>
    public void Count(SocketError error) => voice.CountError(SocketErrorClass.Of(error));

    /// <summary>A record is lost by it.</summary>
    public void Report(SocketError error)
    {
        string errorType = SocketErrorClass.Of(error);
        voice.CountError(errorType);
        voice.Report(SelfReportLevel.Warning, ConditionOf(errorType), $"cannot send to {target} ({errorType}). The record is dropped.");
        if (!_open.Contains(errorType))
            _open.Add(errorType);
        _lastAt = clock.Now;
    }

    /// <summary>A record was cut and went through.</summary>
    public void CountCut(bool isFirstCut, int droppedParameters) => voice.CountCut(isFirstCut, droppedParameters);

    /// <summary>A batch went through; ends what has been quiet long enough.</summary>
    public void Worked()
    {
        if (_open.Count == 0 || clock.Since(_lastAt) < Quiet)
            return;
        foreach (string errorType in _open)
            voice.Resolve(ConditionOf(errorType), $"{target} takes records again.");
        _open.Clear();
    }

    private static string ConditionOf(string errorType) => "send " + errorType;
}
