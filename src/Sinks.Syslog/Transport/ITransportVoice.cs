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
}
