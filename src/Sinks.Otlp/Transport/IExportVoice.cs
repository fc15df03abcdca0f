namespace AsyncLog;

/// <summary>What the sink says and counts besides what it throws.</summary>
internal interface IExportVoice
{
    /// <summary>Tells an operator about a condition; repeats are held back.</summary>
    void Report(SelfReportLevel severity, string condition, string message);

    /// <summary>Ends a condition that was reported.</summary>
    void Resolve(string condition, string message);

    /// <summary>Counts a failed operation that is not thrown.</summary>
    void CountError(string errorType);

    /// <summary>Records are lost although the server answers, until <see cref="Restore"/>.</summary>
    void Degrade(string reason);

    /// <summary>The server takes records again.</summary>
    void Restore(string reason);
}
