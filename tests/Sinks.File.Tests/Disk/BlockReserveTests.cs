using System.Diagnostics;
using System.Globalization;

namespace AsyncLog.Tests;

public sealed class BlockReserveTests
{
    private const int Megabyte = 1 << 20;
    private static readonly string Line = new('x', Megabyte - 1);
    private readonly FaultyByteFiles _files = new();

    [Fact]
    public void FI_26_Blocks_are_reserved_in_steps_once_a_file_has_passed_4_MB()
    {
        using SinkHarness harness = Sink(static _ => { });
        Write(harness, 4);
        Assert.Empty(_files.Reserved);
        Write(harness, 17);

        Assert.Equal([(4L * Megabyte, 16L * Megabyte), (20L * Megabyte, 16L * Megabyte)], _files.Reserved);
        Assert.Equal(21 * Megabyte, new FileInfo(harness.Folder["shop.log"]).Length);
    }

    [Fact]
    public void FI_26_Never_beyond_the_size_limit()
    {
        using SinkHarness harness = Sink(static options => options.FileSizeLimit = 9 * Megabyte);
        Write(harness, 12);

        Assert.Equal([(4L * Megabyte, 5L * Megabyte)], _files.Reserved);
        Assert.Equal(2, harness.Names.Count);
    }

    [Fact]
    public void FI_26_A_refusal_ends_it_for_this_file_silently()
    {
        _files.RefusesReserve = true;
        using SinkHarness harness = Sink(static options => options.FileSizeLimit = 9 * Megabyte);
        Write(harness, 15);

        Assert.Equal(2, _files.Reserved.Count);
        Assert.Empty(harness.Voice.Reports);
        Assert.Empty(harness.Voice.Errors);
    }

    [Fact]
    public void FI_26_Zero_reserves_nothing()
    {
        using SinkHarness harness = Sink(static options => options.Preallocate = 0);
        Write(harness, 8);

        Assert.Empty(_files.Reserved);
    }

    [Fact]
    public void FI_26_What_a_finished_file_does_not_use_is_given_back_after_two_seconds()
    {
        using SinkHarness harness = Sink(static options => options.RollingInterval = RollingInterval.Hour);
        Write(harness, 6);
        harness.Clock.Now = harness.Clock.Now.AddHours(1);
        harness.Write("next");
        string archive = harness.Folder["shop.2026-11-20-12.001.log"];
        long held = BlocksOf(archive);
        harness.Clock.PassSeconds(1.9);
        harness.RunDue();
        Assert.Empty(_files.GivenBack);
        harness.Clock.PassSeconds(0.1);
        Assert.Equal(harness.Clock.Now, harness.Sink.NextDue);
        harness.RunDue();

        Assert.Equal([6L * Megabyte], _files.GivenBack);
        Assert.Equal(6 * Megabyte, new FileInfo(archive).Length);
        Assert.All(File.ReadAllBytes(archive), static value => Assert.NotEqual(0, value));
        if (held > 12 * Megabyte / 512)
            Assert.InRange(BlocksOf(archive), 6 * Megabyte / 512, 7 * Megabyte / 512);
    }

    [Fact]
    public void FI_26_A_finished_file_that_grew_is_left_alone()
    {
        using SinkHarness harness = Sink(static options => options.RollingInterval = RollingInterval.Hour);
        Write(harness, 6);
        harness.Clock.Now = harness.Clock.Now.AddHours(1);
        harness.Write("next");
        File.AppendAllText(harness.Folder["shop.2026-11-20-12.001.log"], "another process\n");
        harness.Clock.PassSeconds(2);
        harness.RunDue();

        Assert.EndsWith("another process\n", harness.Read("shop.2026-11-20-12.001.log"), StringComparison.Ordinal);
    }

    [Fact]
    public void FI_26_The_active_file_keeps_its_blocks_when_it_is_closed()
    {
        using SinkHarness harness = Sink(static _ => { });
        Write(harness, 6);
        harness.Restart();

        Assert.Empty(_files.GivenBack);
        Assert.Equal(6 * Megabyte, new FileInfo(harness.Folder["shop.log"]).Length);
    }

    [Fact]
    public void Fault_F13_A_file_with_reserved_blocks_that_was_cut_holds_no_zeros()
    {
        using SinkHarness harness = Sink(static _ => { });
        Write(harness, 6);
        using (var stream = new FileStream(harness.Folder["shop.log"], FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
            stream.SetLength(0);
        harness.Clock.PassSeconds(1);
        Write(harness, 6);

        Assert.All(File.ReadAllBytes(harness.Folder["shop.log"]), static value => Assert.NotEqual(0, value));
        Assert.Equal([(4L * Megabyte, 16L * Megabyte), (4L * Megabyte, 16L * Megabyte)], _files.Reserved);
    }

    private static void Write(SinkHarness harness, int megabytes)
    {
        for (int i = 0; i < megabytes; i++)
            harness.Write(Line);
    }

    // Of 512 bytes, as stat counts.
    private static long BlocksOf(string path)
    {
        if (!OperatingSystem.IsLinux())
            return 0;
        using Process stat = Process.Start(new ProcessStartInfo("stat", ["-c", "%b", path]) { RedirectStandardOutput = true })!;
        string blocks = stat.StandardOutput.ReadToEnd();
        stat.WaitForExit();
        return long.Parse(blocks, CultureInfo.InvariantCulture);
    }

    private SinkHarness Sink(Action<AsyncFileOptions> configure) => new(configure, _files);
}
