namespace AsyncLog;

/// <summary>How a file is opened.</summary>
internal enum FileOpening
{
    /// <summary>It must not exist.</summary>
    New,

    /// <summary>It is created if it does not exist.</summary>
    NewOrExisting,
}
