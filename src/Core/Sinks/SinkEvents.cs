using System.Diagnostics.Tracing;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>What a sink tells in the EventSource <c>AsyncLog-Diagnostics</c>; costs next to nothing while nobody listens. Any thread.</summary>
/// <remarks>Never pass message texts, property values, headers or credentials. Failures of one kind are told at once, then at most once a minute with the
/// count since.</remarks>
public sealed class SinkEvents
{
    private const int LongestMessage = 1024;
    private readonly string _sink;
    private readonly EventPace _pace;

    /// <summary>The events of one instance.</summary>
    /// <param name="sink">The instance's name, for example <c>file/errors</c>.</param>
    /// <param name="timeProvider">The clock of the minute.</param>
    public SinkEvents(string sink, TimeProvider timeProvider)
    {
        _sink = sink;
        _pace = new EventPace(timeProvider);
    }

    /// <summary>A file was opened.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="length">Bytes in it.</param>
    public void FileOpened(string path, long length)
    {
        if (Log.IsEnabled(EventLevel.Informational, Keywords.File))
            Log.FileOpened(_sink, path, length);
    }

    /// <summary>A file was finished and another one begun.</summary>
    /// <param name="from">Where the finished one is now.</param>
    /// <param name="to">The new one.</param>
    /// <param name="reason">Why: a short lower-case word.</param>
    public void FileRolled(string from, string to, string reason)
    {
        if (Log.IsEnabled(EventLevel.Informational, Keywords.File))
            Log.FileRolled(_sink, from, to, reason);
    }

    /// <summary>An old file was deleted.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="reason">Which limit it was over: a short lower-case word.</param>
    public void FileDeleted(string path, string reason)
    {
        if (Log.IsEnabled(EventLevel.Informational, Keywords.File))
            Log.FileDeleted(_sink, path, reason);
    }

    /// <summary>The file at the path was opened anew.</summary>
    /// <param name="cause">Why: a short lower-case word.</param>
    public void FileReopened(string cause)
    {
        if (Log.IsEnabled(EventLevel.Informational, Keywords.File))
            Log.FileReopened(_sink, cause);
    }

    /// <summary>Something with a file failed.</summary>
    /// <param name="operation">What was done: a short lower-case word.</param>
    /// <param name="path">Of what.</param>
    /// <param name="errorType">The class of the error.</param>
    /// <param name="message">What the system said.</param>
    public void FileError(string operation, string path, string errorType, string message)
    {
        if (Log.IsEnabled(EventLevel.Error, Keywords.File) && _pace.Message(nameof(FileError), operation, errorType, message) is { } text)
            Log.FileError(_sink, operation, path, errorType, text);
    }

    /// <summary>Less space is free than is to be kept free.</summary>
    /// <param name="freeBytes">How much is free.</param>
    /// <param name="minimumBytes">How much is to be kept free.</param>
    public void DiskLow(long freeBytes, long minimumBytes)
    {
        if (Log.IsEnabled(EventLevel.Warning, Keywords.File))
            Log.DiskLow(_sink, freeBytes, minimumBytes);
    }

    /// <summary>There is free space again.</summary>
    /// <param name="freeBytes">How much is free.</param>
    public void DiskRecovered(long freeBytes)
    {
        if (Log.IsEnabled(EventLevel.Informational, Keywords.File))
            Log.DiskRecovered(_sink, freeBytes);
    }

    /// <summary>A connection was made.</summary>
    /// <param name="endpoint">To whom.</param>
    /// <param name="tlsProtocol">The version of TLS; empty without.</param>
    public void Connected(string endpoint, string tlsProtocol)
    {
        if (Log.IsEnabled(EventLevel.Informational, Keywords.Network))
            Log.Connected(_sink, endpoint, tlsProtocol);
    }

    /// <summary>A connection ended, or could not be made.</summary>
    /// <param name="endpoint">To whom.</param>
    /// <param name="errorType">The class of the error; empty when the peer ended it in order.</param>
    public void ConnectionLost(string endpoint, string errorType)
    {
        if (Log.IsEnabled(EventLevel.Warning, Keywords.Network) && _pace.Message(nameof(ConnectionLost), endpoint, errorType, "") is not null)
            Log.ConnectionLost(_sink, endpoint, errorType);
    }

    /// <summary>A peer refused records for good.</summary>
    /// <param name="status">What it answered.</param>
    /// <param name="rejected">How many records.</param>
    /// <param name="message">What it said of it; told bounded and with control characters escaped.</param>
    public void BatchRejected(string status, long rejected, string message)
    {
        if (Log.IsEnabled(EventLevel.Error, Keywords.Network) && _pace.Message(nameof(BatchRejected), "", status, Bounded(message)) is { } text)
            Log.BatchRejected(_sink, status, rejected, text);
    }

    /// <summary>A TLS handshake failed.</summary>
    /// <param name="endpoint">With whom.</param>
    /// <param name="policyErrors">Why.</param>
    public void TlsFailed(string endpoint, string policyErrors)
    {
        if (Log.IsEnabled(EventLevel.Error, Keywords.Network) && _pace.Message(nameof(TlsFailed), endpoint, "", policyErrors) is { } text)
            Log.TlsFailed(_sink, endpoint, text);
    }

    /// <summary>A record was cut by the sink.</summary>
    /// <param name="bytes">Its length before.</param>
    /// <param name="limit">The limit.</param>
    public void RecordTruncated(long bytes, long limit)
    {
        if (Log.IsEnabled(EventLevel.Verbose, Keywords.Render))
            Log.RecordTruncated(_sink, bytes, limit);
    }

    private static string Bounded(string message) => ControlText.Escape(message.Length > LongestMessage ? message[..LongestMessage] : message);
}
