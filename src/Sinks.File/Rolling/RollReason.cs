namespace AsyncLog;

/// <summary>Why a file was finished.</summary>
internal enum RollReason
{
    Interval,
    Size,
    Startup,
    Configuration,
    Request,
}
