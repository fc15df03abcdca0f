namespace AsyncLog;

/// <summary>How safe a record is once it is written.</summary>
public enum FileDurability
{
    /// <summary>With the operating system: it survives the end of the process, not a loss of power.</summary>
    Flush,

    /// <summary>On the disk: every batch is synced, and survives a loss of power.</summary>
    FlushToDisk,
}
