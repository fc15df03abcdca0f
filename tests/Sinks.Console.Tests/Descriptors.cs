using System.Runtime.InteropServices;
using System.Text;

namespace AsyncLog.Tests;

/// <summary>A pair of file descriptors: what is written to one is read from the other. A pipe, a socket or a terminal.</summary>
internal sealed partial class Descriptors : IDisposable
{
    private const int NonBlocking = 0x800;
    private const int CloseOnExec = 1;
    private const int SetDescriptorFlags = 2;
    private const int SetStatusFlags = 4;
    private const int WriteOnly = 1;
    private const int ReadWrite = 2;
    private const int NoControllingTerminal = 0x100;
    private const int UnixDomain = 1;
    private const int Stream = 1;
    private const int SuspendOutput = 0;
    private const int ResumeOutput = 1;
    private const int Patience = 30_000;
    private const int Readable = 1;

    private Descriptors(int read, int write) => (Read, Write) = (read, write);

    /// <summary>The end of the reader; -1: closed.</summary>
    public int Read { get; private set; }

    /// <summary>The end that is the standard stream; -1: closed.</summary>
    public int Write { get; private set; }

    public static Descriptors Pipe()
    {
        var pair = new int[2];
        Check(MakePipe(pair));
        return new Descriptors(pair[0], pair[1]);
    }

    public static Descriptors Socket()
    {
        var pair = new int[2];
        Check(MakeSockets(UnixDomain, Stream, 0, pair));
        return new Descriptors(pair[0], pair[1]);
    }

    public static Descriptors Terminal()
    {
        var master = Check(OpenMaster(ReadWrite | NoControllingTerminal));
        Check(Grant(master));
        Check(Unlock(master));
        return new Descriptors(master, Check(Open(Marshal.PtrToStringUTF8(NameOf(master))!, ReadWrite | NoControllingTerminal)));
    }

    /// <summary>A path, open for writing; nothing can be read.</summary>
    public static Descriptors Of(string path) => new(-1, Check(Open(path, ReadWrite)));

    /// <summary>A path, open for writing only.</summary>
    public static Descriptors ForWriting(string path) => new(-1, Check(Open(path, WriteOnly)));

    public static UnixStream StreamOf(Descriptors descriptors) => new(descriptors.Write, "standard output");

    public void MakeNonBlocking() => Check(Control(Write, SetStatusFlags, NonBlocking));

    public void CloseOnExecution() => Check(Control(Write, SetDescriptorFlags, CloseOnExec));

    /// <summary>Stops a terminal, as Ctrl+S does.</summary>
    public void StopTerminal() => Check(Flow(Write, SuspendOutput));

    /// <summary>Lets a terminal go on, as Ctrl+Q does.</summary>
    public void ResumeTerminal() => Check(Flow(Write, ResumeOutput));

    public void CloseReader()
    {
        if (Read >= 0)
            Check(Close(Read));
        Read = -1;
    }

    public void CloseWriter()
    {
        if (Write >= 0)
            Check(Close(Write));
        Write = -1;
    }

    /// <summary>What can be read now, at least one byte; waits for it. Empty: the writing end is closed.</summary>
    /// <exception cref="TimeoutException">Nothing came within 30 s.</exception>
    public string ReadSome()
    {
        if (Check(Poll([((long)Readable << 32) + Read], 1, Patience)) == 0)
            throw new TimeoutException("Nothing was written.");
        var buffer = new byte[64 << 10];
        return Encoding.UTF8.GetString(buffer, 0, (int)Check(ReadFrom(Read, buffer, buffer.Length)));
    }

    /// <summary>Reads in a thread of its own, until something ends with the text, or the writing end is closed.</summary>
    public Task<string> ReadUntil(string? last = null) => Task.Factory.StartNew(
        () =>
        {
            var text = new StringBuilder();
            while (ReadSome() is { Length: > 0 } part)
            {
                text.Append(part);
                if (last is not null && text.Length >= last.Length && text.ToString(text.Length - last.Length, last.Length) == last)
                    break;
            }

            return text.ToString();
        },
        CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    public void Dispose()
    {
        CloseReader();
        CloseWriter();
    }

    private static int Check(int result) => result >= 0 ? result : throw new IOException(Marshal.GetLastPInvokeErrorMessage());

    private static nint Check(nint result) => result >= 0 ? result : throw new IOException(Marshal.GetLastPInvokeErrorMessage());

    [LibraryImport("libc", EntryPoint = "pipe", SetLastError = true)]
    private static partial int MakePipe([Out] int[] pair);

    [LibraryImport("libc", EntryPoint = "socketpair", SetLastError = true)]
    private static partial int MakeSockets(int domain, int type, int protocol, [Out] int[] pair);

    [LibraryImport("libc", EntryPoint = "posix_openpt", SetLastError = true)]
    private static partial int OpenMaster(int flags);

    [LibraryImport("libc", EntryPoint = "grantpt", SetLastError = true)]
    private static partial int Grant(int master);

    [LibraryImport("libc", EntryPoint = "unlockpt", SetLastError = true)]
    private static partial int Unlock(int master);

    [LibraryImport("libc", EntryPoint = "ptsname", SetLastError = true)]
    private static partial nint NameOf(int master);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    private static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    private static partial nint ReadFrom(int descriptor, [Out] byte[] buffer, nint count);

    // An entry: the descriptor, then 16 bits of what is waited for.
    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    private static partial int Poll([In] long[] entries, nuint count, int milliseconds);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    private static partial int Control(int descriptor, int command, int value);

    [LibraryImport("libc", EntryPoint = "tcflow", SetLastError = true)]
    private static partial int Flow(int descriptor, int action);
}
