using AsyncLog.Tests.Support;

namespace AsyncLog.Tests.Faults;

/// <summary>Syncs that fail or do not come back, made by strace at the system call.</summary>
[Trait("Category", "system")]
public sealed class SyncFaultTests
{
    [Theory]
    [InlineData("EIO", "io_error")]
    [InlineData("ENOSPC", "no_space")]
    public async Task A_sync_that_fails_once_makes_the_file_suspect(string errno, string errorType)
    {
        using var folder = new TempFolder();
        using var victim = await Start(folder, $"fdatasync:error={errno}:when=2", ("Durability", "FlushToDisk"));
        await victim.Do("log 1");
        await victim.Status(static status => status.Written == 1);
        await victim.Do("log 100");
        Assert.False(await victim.Flush());
        await victim.Do("log 1");
        Assert.True(await victim.Flush());

        var status = await victim.Status();
        Assert.Equal(("Degraded", errorType), (status.State, status.Reason));
        Assert.Equal(1, status.Errors[errorType]);
        Assert.Equal(102, status.Written);
        var lines = Directory.GetFiles(folder.Path, "shop*").SelectMany(File.ReadAllLines).ToArray();
        Assert.Empty(StormLine.Torn(lines));
        Assert.Equal(Enumerable.Range(1, 102).Select(static number => (long)number), StormLine.Numbers(lines, 0).Order());
        Assert.Equal(2, Directory.GetFiles(folder.Path, "shop*").Length);
        await victim.End();
        Assert.Contains(victim.Program.Errors, static line => line.Contains("may be lost", StringComparison.Ordinal));

        // Never twice on one descriptor after the failure.
        var failed = Descriptor(Trace(folder).First(static call => call.Contains("INJECTED", StringComparison.Ordinal)));
        Assert.DoesNotContain(Trace(folder).SkipWhile(static call => !call.Contains("INJECTED", StringComparison.Ordinal)).Skip(1), call => Descriptor(call) == failed);
    }

    [Fact]
    public async Task A_timed_sync_that_fails_begins_a_new_file_without_a_record()
    {
        using var folder = new TempFolder();
        using var victim = await Start(folder, "fdatasync:error=EIO:when=1", ("FlushToDiskInterval", "00:00:00.05"));
        await victim.Do("log 10");
        await Eventually.Holds(() => Directory.GetFiles(folder.Path, "shop*").Length == 2, () => "no new file: " + victim.Said);

        Assert.False(await victim.Flush());
        Assert.True(await victim.Flush());
        var files = Directory.GetFiles(folder.Path, "shop*");
        Assert.Equal(2, files.Length);
        Assert.Equal(Enumerable.Range(1, 10).Select(static number => (long)number), StormLine.Numbers(files.SelectMany(File.ReadAllLines), 0).Order());
    }

    [Fact]
    public async Task A_sync_that_stalls_delays_neither_callers_nor_the_deadline_of_a_flush_and_is_reported_once()
    {
        using var folder = new TempFolder();
        using var victim = await Start(folder, "fdatasync:delay_enter=3000000:when=1", ("Durability", "FlushToDisk"));
        await victim.Do("log 1");
        Assert.False(await victim.Flush(0.2));
        await victim.Do("log 100");
        var stalled = await victim.Status();
        Assert.Equal(101, stalled.Enqueued);
        stalled.AssertCountersAddUp(101);

        Assert.True(await victim.Flush());
        Assert.Equal(101, (await victim.Status()).Written);
        await victim.End();
        Assert.Single(victim.Program.Errors, static line => line.Contains("the sync of", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_last_sync_happens_when_the_logger_is_disposed()
    {
        using var folder = new TempFolder();
        using var victim = await Start(folder, "fdatasync:error=EINTR:when=1", ("FlushToDiskInterval", "1h"));
        await victim.Do("log 10");
        await victim.Status(static status => status.Written == 10);
        Assert.Empty(Trace(folder));
        Assert.Equal(0, await victim.End());

        var syncs = Trace(folder);
        Assert.Equal(2, syncs.Length);
        Assert.EndsWith("= 0", syncs[^1], StringComparison.Ordinal);
    }

    private static string[] Trace(TempFolder folder) =>
        [.. folder.Lines("trace").Where(static call => call.Contains("fdatasync(", StringComparison.Ordinal))];

    private static string Descriptor(string call) => call.Split('(')[1].Split(')')[0];

    private static async Task<VictimProcess> Start(TempFolder folder, string fault, params (string, string)[] settings)
    {
        await Shell.Needs("strace");
        using var probe = new ChildProgram("strace", ["-f", "-qq", "-o", folder.File("probe"), "true"], folder.Path);
        Assert.SkipUnless(await probe.Ended() == 0, "strace may not trace here: " + probe.Printed);
        string[] launcher = ["strace", "-f", "-qq", "-o", folder.File("trace"), "-e", "trace=fdatasync", "-e", "inject=" + fault];

        // The start-up line would be a batch of its own, sooner or later.
        return await new VictimProcess(
            folder.Path, launcher, [("Path", folder.File("shop.log")), ("MinFreeSpace", "0"), ("AsyncLog:StartupReport", "false"), .. settings]).Ready();
    }
}
