namespace AsyncLog;

/// <summary>Why a file was finished.</summary>
internal enum RollReason
{
    Interval,
    Size,
    Startup,
    Configuration,
    Request,

    /// <summary>A sync failed: what is in the file may be lost.</summary>
    Suspect,
}
