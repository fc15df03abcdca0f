namespace AsyncLog;

/// <summary>The events of sinks in the EventSource <c>AsyncLog-Diagnostics</c>. Any thread. This class discards them; the one of an instance writes them
/// (<see cref="SinkContext.Events"/>).</summary>
/// <remarks>Never pass message texts, property values, headers or credentials. Failures of one kind are written at once, then at most once a minute with the
/// count since.</remarks>
internal class SinkEvents
{
    private const int MaxMessageLength = 1024;

    /// <summary>A file was opened.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="length">Bytes in it.</param>
    public void FileOpened(string path, long length) => Write(30, path, length);

    /// <summary>A file was finished and another one begun.</summary>
    /// <param name="from">Path of the finished one.</param>
    /// <param name="to">The new one.</param>
    /// <param name="reason">Reason: a short lower-case word.</param>
    public void FileRolled(string from, string to, string reason) => Write(31, from, to, reason);

    /// <summary>An old file was deleted.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="reason">Exceeded limit: a short lower-case word.</param>
    public void FileDeleted(string path, string reason) => Write(32, path, reason);

    /// <summary>The file at the path was opened anew.</summary>
    /// <param name="cause">Why: a short lower-case word.</param>
    public void FileReopened(string cause) => Write(33, cause);

    /// <summary>An operation on a file failed.</summary>
    /// <param name="operation">The operation: a short lower-case word.</param>
    /// <param name="path">Path of the operation.</param>
    /// <param name="errorType">The class of the error.</param>
    /// <param name="message">The message of the system.</param>
    public void FileError(string operation, string path, string errorType, string message)
        => WriteFailure(34, (operation, errorType), message, operation, path, errorType);

    /// <summary>Less space is free than is to be kept free.</summary>
    /// <param name="freeBytes">Free bytes.</param>
    /// <param name="minimumBytes">Bytes to be kept free.</param>
    public void DiskLow(long freeBytes, long minimumBytes) => Write(36, freeBytes, minimumBytes);

    /// <summary>There is free space again.</summary>
    /// <param name="freeBytes">Free bytes.</param>
    public void DiskRecovered(long freeBytes) => Write(37, freeBytes);

    /// <summary>A connection was made.</summary>
    /// <param name="endpoint">To whom.</param>
    /// <param name="tlsProtocol">The version of TLS; empty without.</param>
    public void Connected(string endpoint, string tlsProtocol) => Write(40, endpoint, tlsProtocol);

    /// <summary>A connection ended, or could not be made.</summary>
    /// <param name="endpoint">To whom.</param>
    /// <param name="errorType">The class of the error; empty when the peer ended it in order.</param>
    public void ConnectionLost(string endpoint, string errorType) => WriteFailure(41, (endpoint, errorType), message: null, endpoint, errorType);

    /// <summary>A peer refused records for good.</summary>
    /// <param name="status">Status of its response.</param>
    /// <param name="rejected">Number of records.</param>
    /// <param name="message">The text of its answer; written bounded and with control characters escaped.</param>
    public void BatchRejected(string status, long rejected, string message)
        => WriteFailure(43, ("", status), ControlText.Escape(message.Length > MaxMessageLength ? message[..MaxMessageLength] : message), status, rejected);

    /// <summary>A TLS handshake failed.</summary>
    /// <param name="endpoint">With whom.</param>
    /// <param name="policyErrors">Why.</param>
    public void TlsFailed(string endpoint, string policyErrors) => WriteFailure(44, (endpoint, ""), policyErrors, endpoint);

    /// <summary>A record was truncated by the sink.</summary>
    /// <param name="bytes">Its length before.</param>
    /// <param name="limit">The limit.</param>
    public void RecordTruncated(long bytes, long limit) => Write(50, bytes, limit);

    /// <summary>Writes an event.</summary>
    /// <param name="id">The event's number.</param>
    /// <param name="payload">Texts and <see langword="long"/> values, as the EventSource declares them, without the sink's name.</param>
    protected virtual void Write(int id, params ReadOnlySpan<object?> payload)
    {
    }

    /// <summary>Writes the event of a failure, unless one of its kind was written within the last minute.</summary>
    /// <param name="id">The event's number.</param>
    /// <param name="kind">The operation or the peer, and the class of the error.</param>
    /// <param name="message">The last value of the payload; the count of events that were not written is appended. Null: the event has none.</param>
    /// <param name="payload">The values before it.</param>
    protected virtual void WriteFailure(int id, (string What, string ErrorType) kind, string? message, params ReadOnlySpan<object?> payload)
    {
    }
}
