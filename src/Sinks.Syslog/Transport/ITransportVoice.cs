namespace AsyncLog;

/// <summary>What a transport says and counts.</summary>
internal interface ITransportVoice
{
    /// <summary>Tells an operator about a condition; repeats are held back.</summary>
    void Report(SelfReportLevel severity, string condition, string message);

    /// <summary>Ends a condition that was reported.</summary>
    void Resolve(string condition, string message);

    /// <summary>Counts a failed operation that is not thrown.</summary>
    void CountError(string errorType);

    /// <summary>Counts written records that can be neither sent again nor proved to have arrived.</summary>
    void CountUncertain(int records);

    /// <summary>Counts a record that was cut on the way.</summary>
    /// <param name="isFirstCut">Whether it was whole before.</param>
    /// <param name="droppedParameters">Parameters that were left out.</param>
    void CountCut(bool isFirstCut, int droppedParameters);

    /// <summary>A connection was made; a datagram socket was opened.</summary>
    /// <param name="target">To whom.</param>
    /// <param name="tlsProtocol">The version of TLS; empty without.</param>
    void Connected(string target, string tlsProtocol);

    /// <summary>It could not be made.</summary>
    void ConnectFailed(string target, LogSinkException exception);

    /// <summary>It ended.</summary>
    /// <param name="target">To whom.</param>
    /// <param name="errorType">The class of the failure; empty when the peer ended it in order.</param>
    void ConnectionLost(string target, string errorType);
}
