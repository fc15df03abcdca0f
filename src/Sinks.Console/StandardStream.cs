using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace AsyncLog;

/// <summary>A standard stream, written by system calls: nothing of <see cref="Console"/> is touched, no lock, no encoding, no stream of it.</summary>
internal abstract class StandardStream
{
    /// <summary>Its name for operators, with what it is.</summary>
    public abstract string Name { get; }

    /// <summary>True if a terminal shows it.</summary>
    public abstract bool IsTerminal { get; }

    /// <summary>True if the terminal understands ANSI escape sequences.</summary>
    public virtual bool ShowsColors => true;

    /// <summary>The most bytes of one write.</summary>
    public virtual int MaxWrite => int.MaxValue;

    /// <summary>A standard stream of the process.</summary>
    public static StandardStream Of(ConsoleStream stream) =>
        OperatingSystem.IsWindows() ? new WindowsStream(new WindowsHandle(stream), NameOf(stream)) : new UnixStream(stream == ConsoleStream.Error ? 2 : 1, NameOf(stream));

    /// <summary>Returns true if the stream goes to the journal.</summary>
    /// <param name="journalStream">Device and inode, as systemd sets <c>JOURNAL_STREAM</c> (systemd.exec(5)); null: not set.</param>
    public virtual bool IsJournal(string? journalStream) => false;

    /// <summary>Writes the first of some bytes; waits while the reader takes none.</summary>
    /// <param name="bytes">At least 1, at most <see cref="MaxWrite"/>.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <returns>The number of bytes written, at least 1.</returns>
    /// <exception cref="LogSinkException">Nothing was written.</exception>
    public abstract int Write(ReadOnlySpan<byte> bytes, TimeProvider timeProvider, CancellationToken cancellationToken);

    private static string NameOf(ConsoleStream stream) => stream == ConsoleStream.Error ? "standard error" : "standard output";
}

/// <summary>A file descriptor of a Unix system.</summary>
internal sealed unsafe partial class UnixStream : StandardStream
{
    // Interval at which a write that waits looks at its cancellation, and the rest where a stream that was writable takes nothing.
    private const int PollMilliseconds = 50;
    private const int RestMilliseconds = 10;

    private const int GetDescriptorFlags = 1;
    private const int CloseOnExec = 1;
    private const int FromCurrent = 1;
    private const short Writable = 4;
    private const int Interrupted = 4;
    private const int IoError = 5;
    private const int BadDescriptor = 9;
    private const int NoSpace = 28;
    private const int BrokenPipe = 32;

    // Time without progress after which a write fails, so that operators see a reader that has stopped.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private readonly int _descriptor;
    private readonly string _name;
    private readonly bool _isOpen;
    private readonly bool _isSeekable;

    public UnixStream(int descriptor, string name)
    {
        _descriptor = descriptor;
        _name = name;
        // If a descriptor was closed when the process began, the runtime may have opened a file with that number. The flag shows that: what is closed at an
        // exec is not inherited.
        _isOpen = Control(descriptor, GetDescriptorFlags) is var flags && flags >= 0 && (flags & CloseOnExec) == 0;
        IsTerminal = _isOpen && IsTerminalDescriptor(descriptor) == 1;
        _isSeekable = _isOpen && Seek(descriptor, 0, FromCurrent) >= 0;
        Name = name + (!_isOpen ? ", closed" : IsTerminal ? ", a terminal" : "");
    }

    public override string Name { get; }

    public override bool IsTerminal { get; }

    // Lines of other writers then appear between records, not inside them.
    public override int MaxWrite => _isSeekable ? int.MaxValue : PipeBufferOf(OperatingSystem.IsLinux());

    // Of Linux: what the descriptor refers to. Null elsewhere.
    private string? Target => new FileInfo(string.Create(CultureInfo.InvariantCulture, $"/proc/self/fd/{_descriptor}")).LinkTarget;

    // A named pipe may get another reader.
    private bool IsAnonymous => Target is { } target && (target.StartsWith("pipe:", StringComparison.Ordinal) || target.StartsWith("socket:", StringComparison.Ordinal));

    private static int TryAgain { get; } = OperatingSystem.IsLinux() ? 11 : 35;

    /// <summary>The most bytes of a write to a pipe that is not mixed with those of others, and for which a writable pipe has room: PIPE_BUF of Linux, or of
    /// macOS and the BSDs.</summary>
    public static int PipeBufferOf(bool isLinux) => isLinux ? 4096 : 512;

    public override bool IsJournal(string? journalStream)
    {
        // Sockets have one device, so the inode decides.
        if (!_isOpen || journalStream?.Split(':') is not [_, var inode])
            return false;
        return Target == $"socket:[{inode}]";
    }

    public override int Write(ReadOnlySpan<byte> bytes, TimeProvider timeProvider, CancellationToken cancellationToken)
    {
        if (!_isOpen)
            throw Failure(BadDescriptor);
        var start = timeProvider.GetTimestamp();
        fixed (byte* first = bytes)
        {
            while (true)
            {
                cancellationToken.ThrowIfCancellationRequested();
                // A pipe that is reported writable takes a write of its buffer size without waiting, so that a reader that stops never keeps the worker in a system call.
                if (_isSeekable || IsWritable())
                {
                    if (Write(_descriptor, first, bytes.Length) is var count && count > 0)
                        return (int)count;
                    var error = Marshal.GetLastPInvokeError();
                    if (error == TryAgain)
                        Poll(null, 0, RestMilliseconds);
                    else if (error != Interrupted)
                        throw Failure(error);
                }

                if (timeProvider.GetElapsedTime(start) >= Patience)
                    throw new LogSinkException("timeout", $"{_name} accepts no data: {(IsTerminal ? "the terminal has been stopped (Ctrl+Q continues it)" : "its reader has stopped reading")}");
            }
        }
    }

    // Also true after a failure. Then the write returns the reason.
    private bool IsWritable()
    {
        var poll = new PollEntry { Descriptor = _descriptor, Events = Writable };
        return Poll(&poll, 1, PollMilliseconds) > 0;
    }

    private LogSinkException Failure(int error) => error switch
    {
        BrokenPipe => new("broken_pipe", $"{_name} no longer has a reader") { IsGone = IsAnonymous },
        BadDescriptor => new("closed", $"{_name} was closed before the process began, or is not open for writing: open it, or set Enabled to false", isPermanent: true) { IsGone = true },
        NoSpace => new("no_space", $"no space left for {_name}"),
        IoError => new("io_error", $"{_name} cannot be written (input/output error){(IsTerminal ? ": its terminal is gone" : "")}") { IsGone = IsTerminal },
        _ => new("other", $"{_name} cannot be written ({Marshal.GetPInvokeErrorMessage(error)})"),
    };

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    private static partial nint Write(int descriptor, byte* bytes, nint count);

    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    private static partial int Poll(PollEntry* entries, nuint count, int milliseconds);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    private static partial int Control(int descriptor, int command);

    [LibraryImport("libc", EntryPoint = "lseek", SetLastError = true)]
    private static partial nint Seek(int descriptor, nint offset, int origin);

    [LibraryImport("libc", EntryPoint = "isatty", SetLastError = true)]
    private static partial int IsTerminalDescriptor(int descriptor);

    private struct PollEntry
    {
        public int Descriptor;
        public short Events;
        public short Results;
    }
}

/// <summary>A standard handle of Windows. A seam: tests answer as a system of their choice.</summary>
internal interface IStandardHandle
{
    /// <summary>True if a console shows it.</summary>
    bool IsTerminal { get; }

    /// <summary>True if the console understands ANSI escape sequences.</summary>
    bool ShowsColors { get; }

    /// <summary>Writes the first of some characters to a console.</summary>
    /// <returns>The system's error; 0: none.</returns>
    int Write(ReadOnlySpan<char> text, out int written);

    /// <summary>Writes the first of some bytes.</summary>
    /// <returns>The system's error; 0: none.</returns>
    int Write(ReadOnlySpan<byte> bytes, out int written);
}

/// <summary>A standard stream of Windows.</summary>
internal sealed class WindowsStream(IStandardHandle handle, string name) : StandardStream
{
    private const int InvalidHandle = 6;
    private const int BrokenPipe = 109;
    private const int NoData = 232;
    private const int DiskFull = 112;

    public override string Name { get; } = name + (handle.IsTerminal ? ", a terminal" : "");

    public override bool IsTerminal => handle.IsTerminal;

    public override bool ShowsColors => handle.ShowsColors;

    public override int Write(ReadOnlySpan<byte> bytes, TimeProvider timeProvider, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var error = IsTerminal ? WriteText(bytes, out var written) : handle.Write(bytes, out written);
        return written > 0 ? written : throw Failure(error);
    }

    // A console accepts UTF-16, or characters of its code page, which belongs to the application.
    private int WriteText(ReadOnlySpan<byte> bytes, out int written)
    {
        var error = handle.Write(Encoding.UTF8.GetString(bytes), out var shown);
        written = 0;
        // Of a pair of surrogates the first one may be shown alone: both count.
        for (var characters = 0; characters < shown;)
        {
            Rune.DecodeFromUtf8(bytes[written..], out var rune, out var length);
            characters += rune.Utf16SequenceLength;
            written += length;
        }

        return error;
    }

    private LogSinkException Failure(int error) => error switch
    {
        InvalidHandle => new("closed", $"{Name} is not open: a Windows service has no console; set Enabled to false there", isPermanent: true) { IsGone = true },
        BrokenPipe or NoData => new("broken_pipe", $"{Name} no longer has a reader") { IsGone = true },
        DiskFull => new("no_space", $"no space left for {Name}"),
        _ => new("other", $"{Name} cannot be written ({Marshal.GetPInvokeErrorMessage(error)})"),
    };
}

/// <summary>A standard handle of the process.</summary>
internal sealed unsafe partial class WindowsHandle : IStandardHandle
{
    private const int OutputHandle = -11;
    private const int ErrorHandle = -12;
    private const uint ProcessedOutput = 1;
    private const uint VirtualTerminalProcessing = 4;

    private readonly nint _handle;

    public WindowsHandle(ConsoleStream stream)
    {
        _handle = GetStandardHandle(stream == ConsoleStream.Error ? ErrorHandle : OutputHandle);
        IsTerminal = GetConsoleMode(_handle, out var mode) != 0;
        ShowsColors = IsTerminal && SetConsoleMode(_handle, mode | ProcessedOutput | VirtualTerminalProcessing) != 0;
    }

    public bool IsTerminal { get; }

    public bool ShowsColors { get; }

    public int Write(ReadOnlySpan<char> text, out int written)
    {
        fixed (char* first = text)
            return Result(WriteConsole(_handle, first, (uint)text.Length, out var count, 0), count, out written);
    }

    public int Write(ReadOnlySpan<byte> bytes, out int written)
    {
        fixed (byte* first = bytes)
            return Result(WriteFile(_handle, first, (uint)bytes.Length, out var count, 0), count, out written);
    }

    private static int Result(int isSuccess, uint count, out int written)
    {
        written = isSuccess != 0 ? (int)count : 0;
        return isSuccess != 0 ? 0 : Marshal.GetLastPInvokeError();
    }

    [LibraryImport("kernel32", EntryPoint = "GetStdHandle", SetLastError = true)]
    private static partial nint GetStandardHandle(int number);

    [LibraryImport("kernel32", SetLastError = true)]
    private static partial int GetConsoleMode(nint handle, out uint mode);

    [LibraryImport("kernel32", SetLastError = true)]
    private static partial int SetConsoleMode(nint handle, uint mode);

    [LibraryImport("kernel32", EntryPoint = "WriteConsoleW", SetLastError = true)]
    private static partial int WriteConsole(nint handle, char* text, uint count, out uint written, nint reserved);

    [LibraryImport("kernel32", SetLastError = true)]
    private static partial int WriteFile(nint handle, byte* bytes, uint count, out uint written, nint overlapped);
}
