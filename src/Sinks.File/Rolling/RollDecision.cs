namespace AsyncLog;

/// <summary>Whether the active file is finished before a record.</summary>
internal static class RollDecision
{
    /// <param name="fileSize">The bytes the file will have when the record's turn comes.</param>
    /// <param name="sizeLimit">Null: none.</param>
    /// <param name="periodEnd">The first UTC tick that is not in the file's period.</param>
    /// <param name="recordLength">The bytes of the record.</param>
    /// <param name="recordTime">The UTC ticks of the record's own time stamp; an older record goes into the active file.</param>
    public static RollReason? Before(long fileSize, long? sizeLimit, long periodEnd, int recordLength, long recordTime)
    {
        if (recordTime >= periodEnd)
            return RollReason.Interval;

        // A record that is larger than the limit gets an empty file, and nothing makes an empty file emptier.
        return fileSize > 0 && fileSize + recordLength > sizeLimit ? RollReason.Size : null;
    }
}
