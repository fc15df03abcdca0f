namespace AsyncLog;

/// <summary>Why a file was opened anew.</summary>
internal enum ReopenReason
{
    Moved,
    Deleted,
    Error,

    /// <summary>Somebody asked for it, by signal or by call.</summary>
    Signal,
}
