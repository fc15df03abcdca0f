using System.Diagnostics;
using System.Net.Sockets;
using System.Runtime.Versioning;

namespace AsyncLog.Tests.Disk;

[SupportedOSPlatform("linux")]
[OnLinux("its system calls")]
[Collection(nameof(ProcessWide))]
public sealed class LinuxFileSystemTests : FileSystemContract
{
    private protected override IFileSystem Files { get; } = new LinuxFileSystem();

    [Fact]
    public void A_link_to_the_console_names_the_console_provider()
    {
        File.CreateSymbolicLink(Folder.File("a.log"), "/dev/stdout");
        File.CreateSymbolicLink(Folder.File("b.log"), "/etc/passwd");

        Assert.Equal(
            $"cannot open {Folder.File("a.log")} (it is a symbolic link to /dev/stdout: to log there, use the console provider)",
            Assert.Throws<LogSinkException>(() => Open("a.log")).Message);
        Assert.Equal(
            $"cannot open {Folder.File("b.log")} (it is a symbolic link to /etc/passwd, which is never followed: change Path)",
            Assert.Throws<LogSinkException>(() => Open("b.log")).Message);
    }

    [Theory]
    [InlineData("/dev/stdout", "use the console provider")]
    [InlineData("/dev/stderr", "use the console provider")]
    [InlineData("/dev/null", "set Enabled to false")]
    [InlineData("/dev", "names a file")]
    public void The_advice_never_is_to_remove_a_device_or_a_directory(string path, string advice)
    {
        Assert.SkipUnless(Path.Exists(path), "not on this machine");

        string message = Assert.Throws<LogSinkException>(() => Files.Open(path, FileOpening.NewOrExisting, Mode)).Message;

        Assert.Contains(advice, message, StringComparison.Ordinal);
        Assert.DoesNotContain("remove", message, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void Looking_for_a_torn_tail_changes_nothing_of_the_file()
    {
        Folder.Write("a.log", "half a line");
        string before = Run("stat", "-c", "%z %y %a", Folder.File("a.log"));
        using IAppendFile file = Open("a.log");

        Assert.True(file.EndsInsideLine());

        Assert.Equal(before, Run("stat", "-c", "%z %y %a", Folder.File("a.log")));
    }

    [Fact]
    public void The_directory_that_has_the_first_new_name_is_known()
    {
        Assert.Equal(new NewDirectories(Folder.Path, null), Files.CreateDirectory(Folder.File("x/y/z"), AsyncFileLoggerOptions.DefaultDirectoryMode));
        Assert.Equal(new NewDirectories(Folder.File("x/y"), null), Files.CreateDirectory(Folder.File("x/y/w"), AsyncFileLoggerOptions.DefaultDirectoryMode));
        Assert.Equal(default, Files.CreateDirectory(Folder.File("x/y/w"), AsyncFileLoggerOptions.DefaultDirectoryMode));
    }

    [Fact]
    public void A_pipe_a_socket_and_a_device_are_refused_without_waiting()
    {
        Run("mkfifo", Folder.File("pipe.log"));
        Assert.Equal(FileKind.Other, Files.Stat(Folder.File("pipe.log"))!.Value.Kind);
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(Folder.File("socket.log")));

        foreach (string path in (string[])[Folder.File("pipe.log"), Folder.File("socket.log"), "/dev/null"])
        {
            LogSinkException refusal = Assert.Throws<LogSinkException>(() => Files.Open(path, FileOpening.NewOrExisting, Mode));
            Assert.Equal((FileErrorClass.NotAFile, true), (refusal.ErrorType, refusal.IsPermanent));
        }
    }

    [Theory]
    [InlineData("000")]
    [InlineData("077")]
    [InlineData("777")]
    public void Modes_are_exactly_as_configured_whatever_the_umask(string umask)
    {
        // The mask belongs to the whole process: no other test runs beside this one.
        uint before = NativeMask.Set(Convert.ToUInt32(umask, 8));
        try
        {
            const UnixFileMode all = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.OtherRead;
            Files.CreateDirectory(Folder.File("x/y"), AsyncFileLoggerOptions.DefaultDirectoryMode);
            Files.Open(Folder.File("x/a.log"), FileOpening.New, AsyncFileLoggerOptions.DefaultFileMode).Dispose();
            Files.Open(Folder.File("x/b.log"), FileOpening.New, all).Dispose();

            Assert.Equal(AsyncFileLoggerOptions.DefaultDirectoryMode, File.GetUnixFileMode(Folder.File("x")));
            Assert.Equal(AsyncFileLoggerOptions.DefaultDirectoryMode, File.GetUnixFileMode(Folder.File("x/y")));
            Assert.Equal(AsyncFileLoggerOptions.DefaultFileMode, File.GetUnixFileMode(Folder.File("x/a.log")));
            Assert.Equal(all, File.GetUnixFileMode(Folder.File("x/b.log")));
        }
        finally
        {
            NativeMask.Set(before);
        }
    }

    [Fact]
    public void A_new_directory_inherits_the_set_group_id_bit()
    {
        Directory.CreateDirectory(Folder.File("g"));
        File.SetUnixFileMode(Folder.File("g"), AsyncFileLoggerOptions.DefaultDirectoryMode | UnixFileMode.SetGroup);

        Files.CreateDirectory(Folder.File("g/h"), AsyncFileLoggerOptions.DefaultDirectoryMode);

        Assert.Equal(AsyncFileLoggerOptions.DefaultDirectoryMode | UnixFileMode.SetGroup, File.GetUnixFileMode(Folder.File("g/h")));
    }

    [Fact]
    public void The_mode_of_an_existing_file_is_left_alone()
    {
        Folder.Write("a.log", "");
        File.SetUnixFileMode(Folder.File("a.log"), UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead);

        Open("a.log").Dispose();

        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead, File.GetUnixFileMode(Folder.File("a.log")));
    }

    [Fact]
    public void No_lock_is_taken_so_any_reader_can_open_the_file()
    {
        using IAppendFile file = Open("a.log");
        using IAppendFile second = Open("a.log");
        file.Append("a\n"u8);
        second.Append("b\n"u8);
        file.Append("c\n"u8);

        using var exclusive = new FileStream(Folder.File("a.log"), FileMode.Open, FileAccess.ReadWrite, FileShare.None);
        Assert.Equal(6, exclusive.Length);
        file.Append("d\n"u8);
        Assert.Equal(8, new FileInfo(Folder.File("a.log")).Length);
    }

    [Fact]
    public void The_descriptor_is_not_inherited()
    {
        using IAppendFile file = Open("unique-name-for-inheritance.log");

        string inherited = Run("ls", "-l", "/proc/self/fd");
        Assert.Contains(" -> ", inherited, StringComparison.Ordinal);
        Assert.DoesNotContain("unique-name-for-inheritance", inherited, StringComparison.Ordinal);
    }

    [Fact]
    public void A_write_in_progress_of_another_writer_is_no_torn_tail()
    {
        byte[] line = new byte[1_000_001];
        Array.Fill(line, (byte)'x');
        line[^1] = (byte)'\n';
        using IAppendFile other = Open("a.log");
        other.Append(line);
        var writer = new Thread(() =>
        {
            for (int i = 0; i < 200; i++)
                other.Append(line);
        });
        using IAppendFile file = Open("a.log");

        writer.Start();
        bool wasTorn = false;
        while (writer.IsAlive)
            wasTorn |= file.EndsInsideLine();
        writer.Join();

        Assert.False(wasTorn);
    }

    [Trait("Category", "system")]
    [Fact]
    public void A_torn_tail_is_seen_where_the_mode_may_not_be_set()
    {
        Folder.Write("a.log", "half a line");
        TryRun("chattr", "+a", Folder.File("a.log"));
        try
        {
            (_, string attributes) = TryRun("lsattr", Folder.File("a.log"));
            Assert.SkipUnless(attributes.Split(' ')[0].Contains('a'), "needs a file system and the right to make a file append-only");
            using IAppendFile file = Open("a.log");

            Assert.True(file.EndsInsideLine());
        }
        finally
        {
            TryRun("chattr", "-a", Folder.File("a.log"));
        }
    }

    [Fact]
    public void Identity_and_link_count_are_those_of_the_kernel()
    {
        using IAppendFile file = Open("a.log");
        FileStat stat = file.Stat();

        Assert.Equal(1, stat.Links);
        string[] numbers = Run("stat", "-c", "%d %i", Folder.File("a.log")).Split(' ');
        ulong[] known = [.. numbers.Select(static number => ulong.Parse(number, System.Globalization.CultureInfo.InvariantCulture))];
        // As gnu_dev_major and gnu_dev_minor take a device apart.
        ulong major = ((known[0] >> 8) & 0xFFF) | ((known[0] >> 32) & 0xFFFFF000);
        ulong minor = (known[0] & 0xFF) | ((known[0] >> 12) & 0xFFFFFF00);
        Assert.Equal(((major << 32) | minor, known[1]), (stat.Device, stat.Inode));
        Assert.Equal(File.GetLastWriteTimeUtc(Folder.File("a.log")), stat.LastWrite.UtcDateTime);
        File.Delete(Folder.File("a.log"));
        Assert.Equal(0, file.Stat().Links);
    }

    private static string Run(string program, params string[] arguments)
    {
        (int code, string output) = TryRun(program, arguments);
        Assert.Equal(0, code);
        return output;
    }

    private static (int Code, string Output) TryRun(string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output);
    }
}

/// <summary>The same where the file system cannot rename without replacing.</summary>
[SupportedOSPlatform("linux")]
[OnLinux("its system calls")]
public sealed class OldLinuxFileSystemTests : FileSystemContract
{
    private protected override IFileSystem Files { get; } = new LinuxFileSystem(renamesWithoutReplacing: false);
}

/// <summary>The same where the file system has no hard links either.</summary>
[SupportedOSPlatform("linux")]
[OnLinux("its system calls")]
public sealed class LinklessFileSystemTests : FileSystemContract
{
    private protected override IFileSystem Files { get; } = new LinuxFileSystem(renamesWithoutReplacing: false, hasHardLinks: false);

    [Fact]
    public void A_file_rolls_and_its_path_is_there_afterwards()
    {
        using var harness = new SinkHarness(static options => options.FileSizeLimit = 4096, Files);

        harness.Write(new string('a', 4095));
        harness.Write("b");

        Assert.Equal(["shop.2026-11-20.001.log", "shop.log"], harness.Names);
        Assert.Equal(new string('a', 4095) + "\n", harness.Read("shop.2026-11-20.001.log"));
        Assert.Equal("b\n", harness.Read("shop.log"));
        Assert.Empty(harness.Context.Reports);
    }
}
