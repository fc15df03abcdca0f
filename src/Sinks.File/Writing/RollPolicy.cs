using System.Diagnostics;

namespace AsyncLog;

/// <summary>The part of a batch that goes into the active file.</summary>
/// <param name="Reason">Reason to finish the file after them; null: the whole batch fits.</param>
internal readonly record struct BatchSplit(int Bytes, RollReason? Reason);

/// <summary>Decides where a file ends: by the time of the records and by size.</summary>
internal static class RollPolicy
{
    /// <param name="sizeLimit">Null: none.</param>
    /// <param name="mustTakeFirst">True if the first record goes into the active file in any case.</param>
    public static BatchSplit Split(LogBatch batch, LogFile file, long? sizeLimit, bool mustTakeFirst)
    {
        int all = batch.Bytes.Length;
        if (!(file.Size + file.PendingHeaderBytes + all > sizeLimit) && batch.IndexOfFirstSince(file.Period.End) < 0)
            return new BatchSplit(all, null);
        int prefix = batch.FirstRecordBytesWritten;
        long size = file.Size;
        int bytes = 0;
        for (int i = 0; i < batch.Count; i++)
        {
            BatchRecord record = batch[i];
            int length = record.Bytes.Length - (i == 0 ? prefix : 0);
            if ((i > 0 || !mustTakeFirst) && Before(size, sizeLimit, file.Period.EndTicks, length, record.Timestamp.UtcTicks) is { } reason)
                return new BatchSplit(bytes, reason);
            size += length + (i == 0 ? file.PendingHeaderBytes : 0);
            bytes += length;
        }

        Debug.Assert(bytes == all, "The records are the whole batch.");
        return new BatchSplit(bytes, null);
    }

    /// <summary>Returns the reason to finish the file before a record; null: none.</summary>
    /// <param name="fileSize">The size of the file before the record is written.</param>
    /// <param name="sizeLimit">Null: none.</param>
    /// <param name="periodEnd">The first UTC tick after the file's period.</param>
    /// <param name="recordLength">The bytes of the record.</param>
    /// <param name="recordTime">The UTC ticks of the record's own time stamp; an older record goes into the active file.</param>
    public static RollReason? Before(long fileSize, long? sizeLimit, long periodEnd, int recordLength, long recordTime)
    {
        if (recordTime >= periodEnd)
            return RollReason.Interval;

        // A record larger than the limit goes into an empty file alone.
        return fileSize > 0 && fileSize + recordLength > sizeLimit ? RollReason.Size : null;
    }
}
