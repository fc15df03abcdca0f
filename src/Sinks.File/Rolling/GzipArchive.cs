using System.IO.Compression;

namespace AsyncLog;

/// <summary>How an attempt to compress a file ended.</summary>
internal enum CompressionOutcome
{
    /// <summary>The compressed file has taken its place.</summary>
    Done,

    /// <summary>Somebody still writes it.</summary>
    Changed,

    /// <summary>It is gone, or it is time to end.</summary>
    GivenUp,

    /// <summary>The name of the compressed file belongs to something else.</summary>
    Taken,
}

/// <summary>Compresses one finished file. Whatever happens in between, the plain file or the whole compressed one is there, at worst both.</summary>
internal sealed class GzipArchive(IByteFiles files)
{
    private const int BufferSize = 128 << 10;

    /// <param name="plain">The path of the finished file.</param>
    /// <param name="packed">The path it gets.</param>
    /// <param name="temporary">The path of the file in the making.</param>
    /// <param name="size">The size it has had for a while.</param>
    /// <param name="isStopped">Whether the sink has ended.</param>
    public CompressionOutcome Run(string plain, string packed, string temporary, long size, Func<bool> isStopped)
    {
        try
        {
            if (files.Stat(plain) is not { Kind: FileKind.Regular } own)
                return CompressionOutcome.GivenUp;
            if (files.Stat(packed) is { } other)
                return other.Kind == FileKind.Regular && HasContentOf(plain, packed) ? Finish(plain, packed, own, size) : CompressionOutcome.Taken;
            using FileStream source = ByteFiles.OpenToRead(plain);
            return own.Size != size || source.Length != size
                ? CompressionOutcome.Changed
                : Compress(source, own, plain, packed, temporary, isStopped);
        }
        catch (Exception exception) when (exception is LogSinkException or IOException && FileErrorClass.Of(exception) == FileErrorClass.NotFound)
        {
            // Finished by another process, or deleted, since it was looked at: test FI_102_A_file_that_vanishes_before_it_is_opened_is_no_error.
            return CompressionOutcome.GivenUp;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw FileErrorClass.Failure("cannot compress", plain, FileErrorClass.Of(exception), cause: exception);
        }
    }

    private CompressionOutcome Compress(FileStream source, FileStat own, string plain, string packed, string temporary, Func<bool> isStopped)
    {
        bool isLeft = false;
        try
        {
            using FileStream target = NewFile.CreateLike(source, temporary);
            isLeft = true;
            if (!TryCopy(source, target, isStopped))
                return CompressionOutcome.GivenUp;
            target.Flush(flushToDisk: true);
            FileStat? made = files.Stat(temporary);
            if (!IsUnchanged(plain, own) || files.Publish(temporary, packed) != FileMove.Done)
                return CompressionOutcome.Changed;
            isLeft = false;

            // Not before: by its time a file in the making is known for one that was left behind.
            File.SetLastWriteTimeUtc(target.SafeFileHandle, own.LastWrite.UtcDateTime);

            // A stalled process may find its file in the making replaced by that of a namesake in another container.
            return made is { } mine && files.Stat(packed) is { } there && there.IsSameFile(mine)
                ? Finish(plain, packed, own, own.Size)
                : CompressionOutcome.GivenUp;
        }
        finally
        {
            if (isLeft)
                DeleteQuietly(temporary);
        }
    }

    private CompressionOutcome Finish(string plain, string packed, FileStat own, long size)
    {
        // Gone: deleted for its age, or finished by another process, and then the compressed file is all there is.
        if (files.Stat(plain) is not { } now || !now.IsSameFile(own))
            return CompressionOutcome.GivenUp;
        if (now.Size == size)
        {
            files.Delete(plain);
            return CompressionOutcome.Done;
        }

        // Grown meanwhile: what was added is in the plain file only.
        files.Delete(packed);
        return CompressionOutcome.Changed;
    }

    private bool IsUnchanged(string plain, FileStat own) => files.Stat(plain) is { } now && now.IsSameFile(own) && now.Size == own.Size;

    private static bool TryCopy(FileStream source, FileStream target, Func<bool> isStopped)
    {
        byte[] buffer = new byte[BufferSize];
        using var gzip = new GZipStream(target, CompressionLevel.Fastest, leaveOpen: true);
        for (int read; (read = source.Read(buffer)) > 0;)
        {
            if (isStopped())
                return false;
            gzip.Write(buffer.AsSpan(0, read));
        }

        return true;
    }

    // What a process leaves that dies after it gave the compressed file its name.
    private static bool HasContentOf(string plain, string packed)
    {
        using FileStream left = ByteFiles.OpenToRead(plain);
        using FileStream compressed = ByteFiles.OpenToRead(packed);
        using var right = new GZipStream(compressed, CompressionMode.Decompress);
        byte[] wanted = new byte[BufferSize];
        byte[] found = new byte[BufferSize];
        try
        {
            while (true)
            {
                int count = left.ReadAtLeast(wanted, BufferSize, throwOnEndOfStream: false);
                int same = right.ReadAtLeast(found, BufferSize, throwOnEndOfStream: false);
                if (count != same || !wanted.AsSpan(0, count).SequenceEqual(found.AsSpan(0, same)))
                    return false;
                if (count == 0)
                    return true;
            }
        }
        catch (InvalidDataException)
        {
            // Not ours: test FI_60_A_compressed_file_of_others_is_left_alone.
            return false;
        }
    }

    private void DeleteQuietly(string path)
    {
        try
        {
            files.Delete(path);
        }
        catch (LogSinkException)
        {
            // The failure that led here is the one to report, and retention removes leftovers: test FI_60_What_dead_processes_left_in_the_making_is_removed.
        }
    }
}
