namespace AsyncLog;

/// <summary>Finds what a process that was killed had written of a batch: the file by its identity, the bytes by their content.</summary>
internal static class InterruptedWrites
{
    // Bytes that other processes may have written between the moment at which the length was read and the write.
    private const int MaxBytesOfOthers = 4 << 20;

    /// <summary>Returns the path of the marked file among those of a set; null: it is gone, or does not have its length any more.</summary>
    public static string? Find(IFileSystem files, LogFileSettings settings, string activePath, WriteMark mark)
    {
        if (IsAt(files, activePath, mark))
            return activePath;
        foreach (string name in files.List(settings.Directory))
        {
            string path = settings.PathOf(name);
            if (IsAt(files, path, mark))
                return path;
        }

        return null;
    }

    /// <summary>Reads what was written since the mark; null: the path is not the marked file any more.</summary>
    public static ReadOnlyMemory<byte>? Read(IFileSystem files, string path, WriteMark mark, LogBatch batch) =>
        files.Read(path, mark, batch.Bytes.Length + MaxBytesOfOthers);

    /// <summary>Finds the bytes of a batch. Pure.</summary>
    /// <param name="written">What was written since the mark, by the process and by others that append whole lines.</param>
    /// <returns>The number of bytes that are there: of whole records, or, where the file ends with them, with a part of the next one.</returns>
    public static (int Bytes, bool IsAtEnd) Match(ReadOnlySpan<byte> written, LogBatch batch)
    {
        ReadOnlySpan<byte> rest = batch.Bytes.Span;
        (int Bytes, bool IsAtEnd) best = (0, written.IsEmpty);
        for (int begin = 0; ;)
        {
            int common = written[begin..].CommonPrefixLength(rest);
            bool isAtEnd = begin + common == written.Length;
            int bytes = isAtEnd ? common : WholeRecords(batch, common);
            if (bytes > best.Bytes)
                best = (bytes, isAtEnd);
            int line = written[begin..].IndexOf((byte)'\n');
            if (line < 0)
                return best;
            begin += line + 1;
        }
    }

    private static bool IsAt(IFileSystem files, string path, WriteMark mark) =>
        files.Stat(path) is { Kind: FileKind.Regular } stat && stat.Device == mark.Device && stat.Inode == mark.Inode
        // Shorter: it was emptied, or its inode is another file's now.
        && stat.Size >= mark.Length;

    private static int WholeRecords(LogBatch batch, int bytes)
    {
        int whole = 0;
        for (int i = 0, left = batch.FirstRecordBytesWritten; i < batch.Count; i++, left = 0)
        {
            int next = whole + batch[i].Bytes.Length - left;
            if (next > bytes)
                break;
            whole = next;
        }

        return whole;
    }
}
