using System.IO.MemoryMappedFiles;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace AsyncLog;

/// <summary>The files of crash buffers: mapped memory that outlives the process. Everything throws <see cref="LogSinkException"/> with the class of the failure.</summary>
internal interface ICrashFiles
{
    /// <summary>The directory that is used when none is configured. Only where there is no <see cref="Limitation"/>.</summary>
    string DefaultDirectory { get; }

    /// <summary>Why there are no crash buffers on this system; null: there are.</summary>
    string? Limitation { get; }

    /// <summary>Creates a directory that only this user may enter; checks that one which exists is of that kind, and that its files are in memory.</summary>
    void CreateDirectory(string path);

    /// <summary>The names in a directory; none when it does not exist.</summary>
    IReadOnlyList<string> List(string directory);

    /// <summary>Creates a file of zeros that must not exist, all of its memory allocated, and locks it.</summary>
    /// <returns>Null when another process had the lock first.</returns>
    ICrashFile? Create(string path, long length);

    /// <summary>Opens and locks a file.</summary>
    /// <returns>Null when its owner lives, or it is gone, or it is no file of this user.</returns>
    ICrashFile? TryOpen(string path);
}

/// <summary>A locked file and its mapping. Disposing it releases the lock; the mapping stays as long as this object, for a caller may still write there.</summary>
internal unsafe interface ICrashFile : IDisposable
{
    string Path { get; }

    /// <summary>The first byte of the mapping.</summary>
    byte* Address { get; }

    long Length { get; }

    /// <summary>Deletes the file; nothing happens when it is gone.</summary>
    void Delete();

    /// <summary>Gives the file another name.</summary>
    void Rename(string path);
}

/// <summary>The files of Linux.</summary>
internal sealed partial class CrashFiles : ICrashFiles
{
    private static readonly string[] InMemory = ["tmpfs", "ramfs"];

    public static ICrashFiles Instance { get; } = new CrashFiles();

    public string DefaultDirectory => $"/dev/shm/asynclog-{SpoolFiles.EffectiveUser}";

    public string? Limitation => OperatingSystem.IsLinux() && Environment.Is64BitProcess ? null : "it needs Linux and a 64-bit process";

    public void CreateDirectory(string path)
    {
        SpoolFiles.Instance.CreateDirectory(path);
        var format = SpoolFiles.Run("inspect", path, () => new DriveInfo(path).DriveFormat);
        if (!InMemory.Contains(format, StringComparer.Ordinal))
        {
            throw new LogSinkException(
                "not_in_memory", $"{path} is on {format}: a disk that fills or a file that is truncated would end the process. Use tmpfs, such as /dev/shm", isPermanent: true);
        }
    }

    public IReadOnlyList<string> List(string directory) => SpoolFiles.Instance.List(directory);

    // A process that looks for files may lock it first: it finds an empty file and deletes it.
    public ICrashFile? Create(string path, long length) => SpoolFiles.Run("create", path, () => SpoolFiles.OpenLocked(path, FileMode.CreateNew) is { } file ? Map(path, file, length) : null);

    public ICrashFile? TryOpen(string path)
        => SpoolFiles.Run("open", path, () => SpoolFiles.IsOwnFile(path) && SpoolFiles.OpenLocked(path, FileMode.Open) is { } file ? Map(path, file, length: null) : null);

    // With a length: a new file, of which nothing stays when it fails.
    private static ICrashFile Map(string path, FileStream file, long? length)
    {
        try
        {
            if (length is { } bytes)
                Allocate(file, bytes);
            return new MappedFile(path, file);
        }
        catch (Exception)
        {
            if (length is not null)
                File.Delete(path);
            file.Dispose();
            throw;
        }
    }

    private static void Allocate(FileStream file, long length)
    {
        int error;
        do
        {
            error = Native.Allocate(file.SafeFileHandle, 0, length);
        }
        while (error == Native.Interrupted);
        if (error != 0)
        {
            throw new LogSinkException(
                error == Native.NoSpace ? "no_space" : "io_error", $"cannot allocate {SizeText.Show(length)} in {file.Name}: {Marshal.GetPInvokeErrorMessage(error)}");
        }
    }

    private sealed unsafe class MappedFile : ICrashFile
    {
        private readonly FileStream _file;

        // Not disposed: a caller that was descheduled may still write. The finalizer ends the mapping when no caller can.
        private readonly object? _view;

        public MappedFile(string path, FileStream file)
        {
            Path = path;
            _file = file;
            Length = file.Length;
            if (Length == 0)
                return;
            using var mapping = MemoryMappedFile.CreateFromFile(file.SafeFileHandle, null, Length, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, leaveOpen: true);
            var view = mapping.CreateViewAccessor(0, Length);
            _view = view;
            Address = (byte*)view.SafeMemoryMappedViewHandle.DangerousGetHandle();
        }

        public string Path { get; private set; }

        public byte* Address { get; }

        public long Length { get; }

        public void Delete() => SpoolFiles.Run("delete", Path, () => File.Delete(Path));

        public void Rename(string path)
        {
            SpoolFiles.Run("rename", Path, () => File.Move(Path, path, overwrite: true));
            Path = path;
        }

        public void Dispose() => _file.Dispose();
    }

    private static partial class Native
    {
        public const int Interrupted = 4;
        public const int NoSpace = 28;

        // Returns the error number.
        [LibraryImport("libc", EntryPoint = "posix_fallocate")]
        public static partial int Allocate(SafeFileHandle handle, long offset, long length);
    }
}
