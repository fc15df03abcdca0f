namespace AsyncLog;

/// <summary>Levels of AsyncLog's self-reports on stderr.</summary>
public enum SelfReportLevel
{
    /// <summary>Nothing.</summary>
    Off,

    /// <summary>Errors only.</summary>
    Error,

    /// <summary>Errors and warnings.</summary>
    Warning,

    /// <summary>Start-up details too.</summary>
    Info,

    /// <summary>Everything.</summary>
    Verbose,
}
