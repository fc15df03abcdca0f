namespace AsyncLog;

/// <summary>What the sink says and counts besides what it throws.</summary>
internal interface IExportVoice
{
    /// <summary>Tells an operator about a condition; repeats are held back.</summary>
    void Report(SelfReportLevel severity, string condition, string message);

    /// <summary>Ends a condition that was reported.</summary>
    void Resolve(string condition, string message);

    /// <summary>Counts a failed operation that is not thrown, and keeps its text as the last error.</summary>
    void CountError(string errorType, string message);

    /// <summary>Records are lost although the server answers, until <see cref="Restore"/>.</summary>
    /// <param name="reason">The state's reason.</param>
    /// <param name="isPermanent">Whether it needs somebody's hand.</param>
    void Degrade(string reason, bool isPermanent);

    /// <summary>The server takes records again.</summary>
    void Restore(string reason);

    /// <summary>A connection was made.</summary>
    /// <param name="target">To whom.</param>
    /// <param name="tlsProtocol">The version of TLS; empty without.</param>
    void Connected(string target, string tlsProtocol);

    /// <summary>It could not be made.</summary>
    void ConnectFailed(string target, LogSinkException exception);

    /// <summary>The server refused records for good.</summary>
    /// <param name="status">What it answered.</param>
    /// <param name="records">How many.</param>
    /// <param name="message">What it said of it.</param>
    void BatchRejected(string status, int records, string message);
}
