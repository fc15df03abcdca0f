using AsyncLog.Tests.Support;

namespace AsyncLog.Tests.Faults;

/// <summary>File systems in user space (bindfs): they go away under an open file, and may refuse what others allow.</summary>
[Trait("Category", "system")]
public sealed class MountTests
{
    [Theory]
    [InlineData("true")]
    [InlineData("false")]
    public async Task After_a_remount_of_its_file_system_a_file_is_written_again(string reopensWhenMoved)
    {
        using var folder = await Folder();
        using var victim = new VictimProcess(
            folder.Path, [], ("Path", folder.File("disk", "shop.log")), ("ReopenWhenMoved", reopensWhenMoved), ("MinFreeSpace", "0"), ("AsyncLog:StartupReport", "false"));
        using (var first = await Mount(folder))
        {
            await victim.Ready();
            await victim.Do("log 3");
            Assert.True(await victim.Flush());
            first.Signal("KILL");
            await first.Ended();
        }

        // ENOTCONN on the open file and on every path.
        await victim.Do("log 3");
        await victim.Status(static status => status.Errors.Count > 0);
        // Meanwhile it stands still: else it may write into the folder below.
        victim.Program.Signal("STOP");
        await Shell.Run("umount", "-l", folder.File("disk"));
        using var second = await Mount(folder);
        victim.Program.Signal("CONT");
        try
        {
            Assert.True(await victim.Flush(), victim.Said);
            var status = await victim.Status();
            Assert.Equal((6, 0), (status.Written, status.Waiting));
            Assert.Equal([1, 2, 3, 4, 5, 6], StormLine.Numbers(folder.Lines("back", "shop.log"), 0));
            Assert.Equal(0, await victim.End());
        }
        finally
        {
            await Shell.Run("umount", "-l", folder.File("disk"));
        }
    }

    [Fact]
    public async Task Where_the_mode_may_not_be_set_files_roll_and_it_is_said_once()
    {
        using var folder = await Folder();
        using var mount = await Mount(folder, "--chmod-deny");
        try
        {
            // The umask makes the mode differ from the one that is asked for.
            using var victim = await new VictimProcess(
                folder.Path, ["/bin/sh", "-c", "umask 077; exec \"$@\"", "sh"], ("Path", folder.File("disk", "logs", "shop.log")), ("RollingInterval", "None"), ("FileSizeLimit", "4KB"),
                ("RetainedFileCountLimit", "3"), ("MinFreeSpace", "0"), ("AsyncLog:StartupReport", "false")).Ready();
            await victim.Do("log 100 Information 1000");
            Assert.True(await victim.Flush(), victim.Said);

            var status = await victim.Status();
            Assert.Equal((100, 0), (status.Written, status.Errors.Count));
            Assert.Equal(0, await victim.End());
            Assert.Contains("cannot be set to 0", Assert.Single(victim.Program.Errors), StringComparison.Ordinal);
            Assert.InRange(Directory.GetFiles(folder.File("back", "logs"), "shop*").Length, 3, 4);
            Assert.NotEmpty(Directory.GetFiles(folder.File("back", "logs")));
            Assert.All(Directory.GetFiles(folder.File("back", "logs")), static file => Assert.True(new FileInfo(file).Length <= 4096, file));
        }
        finally
        {
            await Shell.Run("umount", "-l", folder.File("disk"));
        }
    }

    [Fact]
    public async Task A_file_system_that_does_not_answer_is_reported_and_so_is_its_return()
    {
        using var folder = await Folder();
        using var mount = await Mount(folder);
        try
        {
            using var victim = await new VictimProcess(
                folder.Path, [], ("Path", folder.File("disk", "shop.log")), ("MinFreeSpace", "0"), ("AsyncLog:StartupReport", "false")).Ready();
            await victim.Do("log 3");
            Assert.True(await victim.Flush());
            mount.Signal("STOP");
            try
            {
                await victim.Do("log 5");
                var status = await victim.Status(static status => status.Reason == "timeout");
                Assert.Equal(("Degraded", 3, 5), (status.State, status.Written, status.Waiting));
                status.AssertCountersAddUp(8);
                await Eventually.Holds(() => victim.Program.Errors.Count == 1, () => victim.Said);
            }
            finally
            {
                mount.Signal("CONT");
            }

            Assert.True(await victim.Flush(), victim.Said);
            await Eventually.Holds(() => victim.Program.Errors.Count == 2, () => victim.Said);
            Assert.Contains($"{folder.File("disk", "shop.log")} has not answered for ", victim.Said, StringComparison.Ordinal);
            Assert.EndsWith("info file/default: delivery works again.", victim.Said, StringComparison.Ordinal);
            Assert.Equal(Enumerable.Range(1, 8).Select(static number => (long)number), StormLine.Numbers(folder.Lines("back", "shop.log"), 0));
            Assert.Equal(0, await victim.End());
        }
        finally
        {
            await Shell.Run("umount", "-l", folder.File("disk"));
        }
    }

    private static async Task<TempFolder> Folder()
    {
        Shell.NeedsRoot("mounting a file system of one's own");
        await Shell.Needs("bindfs");
        Assert.SkipUnless(File.Exists("/dev/fuse"), "there is no /dev/fuse");
        var folder = new TempFolder();
        Directory.CreateDirectory(folder.File("back"));
        Directory.CreateDirectory(folder.File("disk"));
        return folder;
    }

    private static async Task<ChildProgram> Mount(TempFolder folder, params string[] options)
    {
        var bindfs = new ChildProgram("bindfs", [.. options, "-f", folder.File("back"), folder.File("disk")], folder.Path);
        await Eventually.Holds(
            () => bindfs.HasExited || File.ReadLines("/proc/mounts").Any(line => line.Split(' ')[1] == folder.File("disk")), () => "it is not mounted: " + bindfs.Printed);
        Assert.SkipWhen(bindfs.HasExited, "bindfs cannot mount here: " + bindfs.Printed);
        return bindfs;
    }
}
