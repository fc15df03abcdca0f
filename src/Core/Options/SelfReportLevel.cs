namespace AsyncLog;

/// <summary>Levels of the reports of AsyncLog on standard error.</summary>
public enum SelfReportLevel
{
    /// <summary>No reports.</summary>
    Off,

    /// <summary>Errors only.</summary>
    Error,

    /// <summary>Errors and warnings.</summary>
    Warning,

    /// <summary>Also details of the startup.</summary>
    Info,

    /// <summary>Everything.</summary>
    Verbose,
}
