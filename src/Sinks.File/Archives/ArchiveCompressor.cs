using System.Diagnostics;
using System.IO.Compression;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Compresses the finished files that no process writes any more, the oldest first.</summary>
/// <remarks>Runs in the background, one pass at a time. At any moment the plain file or the whole compressed one is there, at worst both.</remarks>
internal sealed class ArchiveCompressor(IFileSystem files, SinkContext context, FileMetrics metrics, ArchiveFinder finder, LogFileRegistry registry)
{
    /// <summary>Time that a file must keep its size before it is compressed: other processes may not know yet that it is finished. By the monotonic clock: the
    /// time of the last write may be that of another host, or of a clock that was set.</summary>
    public static readonly TimeSpan SettleTime = TimeSpan.FromSeconds(2);

    private const string Condition = "compression";
    private const int BufferSize = 128 << 10;

    // The finished files of the last pass.
    private Dictionary<string, Observation> _observed = [];
    private volatile bool _isWaiting;
    private volatile bool _isStopped;

    private enum Outcome
    {
        /// <summary>The compressed file has replaced the plain one.</summary>
        Done,

        /// <summary>Another process still writes it.</summary>
        Changed,

        /// <summary>It is gone, or the sink has ended.</summary>
        GivenUp,

        /// <summary>The name of the compressed file is taken by other content.</summary>
        Taken,
    }

    /// <summary>True if another pass is useful after <see cref="SettleTime"/>. Any thread.</summary>
    public bool IsWaiting => _isWaiting;

    /// <param name="requestedAt">When, as a time stamp of the clock.</param>
    /// <param name="triesAgain">True if what failed before is tried again: after a roll, not in the passes between.</param>
    public void Run(LogFileSettings settings, string activePath, long requestedAt, bool triesAgain)
    {
        bool isWaiting = false;
        try
        {
            if (settings.Options.Compression != CompressionMethod.None)
                isWaiting = CompressSettled(settings, activePath, requestedAt, triesAgain);
        }
        catch (LogSinkException exception)
        {
            Report(settings.Directory, exception);
        }

        _isWaiting = isWaiting;
        if (isWaiting)
            context.Wake();
    }

    /// <summary>Cancels the running compression; the file stays as it was.</summary>
    public void Stop() => _isStopped = true;

    private bool CompressSettled(LogFileSettings settings, string activePath, long requestedAt, bool triesAgain)
    {
        IReadOnlyList<string> names = files.List(settings.Directory);
        List<ArchiveFile> finished = finder.Find(settings, names, activePath);
        ILookup<string?, string> temporaries = names.ToLookup(FileNamePattern.TemporaryOf);
        Dictionary<string, Observation> before = _observed;
        _observed = finished.ToDictionary(
            static file => file.Name,
            file => before.TryGetValue(file.Name, out Observation? known) && known.Size == file.Stat.Size
                ? known with { HasFailed = known.HasFailed && !triesAgain }
                : new Observation(file.Stat.Size, requestedAt),
            StringComparer.Ordinal);
        bool isWaiting = false;
        foreach (ArchiveFile file in finished)
        {
            if (_isStopped)
                return false;
            if (FileNamePattern.IsCompressed(file.Name) || _observed[file.Name].HasFailed)
                continue;
            isWaiting |= !HasSettled(file.Name, SettleTime) || IsCompressedByAnother(settings, file.Name, temporaries) || !TryCompress(settings, file.Name, _observed[file.Name]);
        }

        return isWaiting;
    }

    private bool HasSettled(string name, TimeSpan time) => _observed.TryGetValue(name, out Observation? known) && context.TimeProvider.GetElapsedTime(known.At) >= time;

    // A process that died leaves a temporary file that is not written any more, or both files.
    private bool IsCompressedByAnother(LogFileSettings settings, string name, ILookup<string?, string> temporaries)
    {
        string packed = FileNamePattern.CompressedName(name);
        if (_observed.ContainsKey(packed) && !HasSettled(packed, ArchiveRetention.LeftoverAge))
            return true;
        DateTimeOffset now = context.TimeProvider.GetUtcNow();
        return temporaries[packed].Any(other => files.Stat(settings.PathOf(other)) is { } stat && now - stat.LastWrite <= ArchiveRetention.LeftoverAge);
    }

    // Returns false if another process still writes the file.
    private bool TryCompress(LogFileSettings settings, string name, Observation known)
    {
        string path = settings.PathOf(name);
        _observed[name] = known with { HasFailed = true };
        try
        {
            Outcome outcome;
            lock (registry.Compression)
                outcome = Compress(settings, name, known.Size);
            if (outcome == Outcome.Done)
                context.ReportRecovery(Condition, "finished files are compressed again.");
            if (outcome == Outcome.Taken)
                context.Report(LogLevel.Warning, Condition, $"{FileNamePattern.CompressedName(path)} exists with other content. {name} stays as it is: remove or rename one of them.");
            else
                _observed.Remove(name);
            return outcome != Outcome.Changed;
        }
        catch (LogSinkException exception)
        {
            Report(path, exception);
            return true;
        }
    }

    private Outcome Compress(LogFileSettings settings, string name, long size)
    {
        string plain = settings.PathOf(name);
        string packed = FileNamePattern.CompressedName(plain);
        try
        {
            if (files.Stat(plain) is not { Kind: FileKind.Regular } plainStat)
                return Outcome.GivenUp;
            if (files.Stat(packed) is { } other)
                return other.Kind == FileKind.Regular && HasContentOf(plain, packed) ? ReplacePlain(plain, packed, plainStat, size) : Outcome.Taken;
            using FileStream source = FileSystems.OpenToRead(plain);
            return plainStat.Size != size || source.Length != size ? Outcome.Changed
                : Compress(source, plainStat, plain, packed, number => settings.PathOf(FileNamePattern.TemporaryName(FileNamePattern.CompressedName(name), number)));
        }
        catch (Exception exception) when (exception is LogSinkException or IOException && FileErrorClass.Of(exception) == FileErrorClass.NotFound)
        {
            // Finished by another process, or deleted, in the meantime: test A_file_that_vanishes_before_it_is_opened_is_no_error.
            return Outcome.GivenUp;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw FileErrorClass.Failure("cannot compress", plain, FileErrorClass.Of(exception), cause: exception);
        }
    }

    private Outcome Compress(FileStream source, FileStat plainStat, string plain, string packed, Func<int, string> temporaryOf)
    {
        bool isLeft = true;
        (string temporary, FileStream created) = NewFile.CreateTemporary(context.TimeProvider, temporaryOf, DeleteIfLeft, path => NewFile.CreateLike(source, path));
        using FileStream target = created;
        try
        {
            if (!TryCopy(source, target))
                return Outcome.GivenUp;
            target.Flush(flushToDisk: true);
            FileStat? temporaryStat = files.Stat(temporary);
            bool isUnchanged = files.Stat(plain) is { } now && now.IsSameFile(plainStat) && now.Size == plainStat.Size;
            if (!isUnchanged || files.Publish(temporary, packed) != FileMove.Done)
                return Outcome.Changed;
            isLeft = false;

            // Only now, because the time of a temporary file decides whether it was left behind.
            File.SetLastWriteTimeUtc(target.SafeFileHandle, plainStat.LastWrite.UtcDateTime);

            // The temporary file of a stalled process may have been replaced by that of a process with the same id in another container.
            return temporaryStat is { } writtenStat && files.Stat(packed) is { } published && published.IsSameFile(writtenStat)
                ? ReplacePlain(plain, packed, plainStat, plainStat.Size)
                : Outcome.GivenUp;
        }
        finally
        {
            if (isLeft)
                DeleteQuietly(temporary);
        }
    }

    // Left by a process that had the same id: the container was restarted while it compressed.
    private void DeleteIfLeft(string temporary)
    {
        if (files.Stat(temporary) is { } left && left.LastWrite < ProcessStart)
            files.Delete(temporary);
    }

    private static DateTimeOffset ProcessStart
    {
        get
        {
            using var process = Process.GetCurrentProcess();
            return process.StartTime;
        }
    }

    private Outcome ReplacePlain(string plain, string packed, FileStat plainStat, long size)
    {
        // The file is gone. It was deleted for its age, or another process compressed it; then only the compressed file is left.
        if (files.Stat(plain) is not { } now || !now.IsSameFile(plainStat))
            return Outcome.GivenUp;
        if (now.Size == size)
        {
            files.Delete(plain);
            return Outcome.Done;
        }

        // Grown meanwhile: the added records are in the plain file only.
        files.Delete(packed);
        return Outcome.Changed;
    }

    private bool TryCopy(FileStream source, FileStream target)
    {
        byte[] buffer = new byte[BufferSize];
        using var gzip = new GZipStream(target, CompressionLevel.Fastest, leaveOpen: true);
        for (int read; (read = source.Read(buffer)) > 0;)
        {
            if (_isStopped)
                return false;
            gzip.Write(buffer.AsSpan(0, read));
        }

        return true;
    }

    // A process that dies after it gave the compressed file its name leaves both.
    private static bool HasContentOf(string plain, string packed)
    {
        using FileStream left = FileSystems.OpenToRead(plain);
        using FileStream compressed = FileSystems.OpenToRead(packed);
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
            // Not a file of this library: test A_compressed_file_of_others_is_left_alone.
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
            // The original failure is reported, and retention removes leftovers: test What_dead_processes_left_in_the_making_is_removed.
        }
    }

    private void Report(string path, LogSinkException exception)
    {
        metrics.Failed("compress", path, exception);
        context.Report(LogLevel.Warning, Condition, $"{exception.Message}. The file stays as it is; trying again after the next roll.");
    }

    /// <param name="At">Since when it has this size, as a time stamp.</param>
    /// <param name="HasFailed">True if it could not be compressed: tried again with the next request.</param>
    private sealed record Observation(long Size, long At, bool HasFailed = false);
}
