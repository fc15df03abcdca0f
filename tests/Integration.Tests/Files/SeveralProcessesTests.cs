namespace AsyncLog.Tests.Files;

/// <summary>Several processes on one file.</summary>
[Trait("Category", "slow")]
public sealed class SeveralProcessesTests
{
    // Fewer records roll as often in smaller files.
    private static readonly int Limit = ReleaseRun.Count(128 << 10, 1 << 20);

    // Of each process.
    private static readonly int Records = ReleaseRun.Count(10_000, 100_000);

    [Theory]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(8)]
    public async Task All_lines_of_all_processes_are_there_once_while_the_file_rolls_and_is_compressed(int processes)
    {
        using var writers = new FileWriters();
        for (var writer = 0; writer < processes; writer++)
            writers.Add($"w{writer}", Records, $"FileSizeLimit={Limit}", "Compression=Gzip", "RetainedFileCountLimit=10000", "RetainedTotalSizeLimit=10GB");

        await writers.Begin();
        await writers.Written();
        await Eventually.Holds(
            () => SharedLog.Archives(writers.Folder).All(static name => name.EndsWith(".gz", StringComparison.Ordinal)), () => "not all is compressed: " + Names(writers));
        writers.End();
        foreach (var program in writers.Writers)
            Assert.True(await program.Ended() == 0, program.Printed);

        var log = SharedLog.Read(writers.Folder);
        Assert.Empty(log.BrokenLines);
        Assert.Equal(processes, log.Records.Count);
        Assert.All(log.Records.Values, static numbers => Assert.Equal(Enumerable.Range(0, Records), numbers));

        // Each process rolls at the latest when it has written as much as the limit itself; a record has 50 bytes at least.
        Assert.True(SharedLog.Archives(writers.Folder).Count >= (Records * 50 / Limit) - 1, Names(writers));
        Assert.Equal(processes, writers.Writers.Count);
        Assert.All(writers.Writers, static program => Assert.Empty(program.Errors));
        TestContext.Current.SendDiagnosticMessage("{0} processes, {1} records each: {2} archives", processes, Records, SharedLog.Archives(writers.Folder).Count);
    }

    [Fact]
    public async Task Retention_deletes_the_oldest_archives_only_and_nothing_of_others()
    {
        string[] foreign = ["shared2.log", "shared.log.bak", "shared.2026-13-45.001.log", "shared.2026-01-01.001.log.1", "notes.gz"];
        using var writers = new FileWriters();
        Directory.CreateDirectory(writers.Folder);
        foreach (var name in foreign)
            File.WriteAllText(Path.Combine(writers.Folder, name), "foreign");
        for (var writer = 0; writer < 4; writer++)
            writers.Add($"w{writer}", Records, "FileSizeLimit=64KB", "Compression=Gzip", "RetainedFileCountLimit=5");

        await writers.Begin();
        await writers.Written();
        await Eventually.Holds(() => SharedLog.Archives(writers.Folder).Count <= 4, () => "too many are kept: " + Names(writers));
        writers.End();
        foreach (var program in writers.Writers)
            Assert.True(await program.Ended() == 0, program.Printed);

        var numbers = SharedLog.Archives(writers.Folder).Select(SharedLog.NumberOf).ToList();
        Assert.Equal(Enumerable.Range(numbers[0], 4), numbers);
        Assert.True(numbers[0] > 1, Names(writers));
        var log = SharedLog.Read(writers.Folder);
        Assert.Empty(log.BrokenLines);
        Assert.NotEmpty(log.Records);
        Assert.All(log.Records.Values, static kept => Assert.Equal(kept.Order().Distinct(), kept));
        Assert.Contains(log.Records.Values, static kept => kept[^1] == Records - 1);
        Assert.All(foreign, name => Assert.Equal("foreign", File.ReadAllText(Path.Combine(writers.Folder, name))));
    }

    [Fact]
    public async Task A_process_that_is_killed_in_the_middle_leaves_whole_lines_to_the_others()
    {
        using var writers = new FileWriters();
        string[] options = ["FileSizeLimit=64KB", "RetainedFileCountLimit="];
        writers.Add("busy", 5 * Records, options);
        writers.Add("steady", 0, options);
        var victim = writers.Add("victim", 100 * Records, options);

        await writers.Begin();
        await Eventually.Holds(
            () => SharedLog.Archives(writers.Folder).Any(name => File.ReadAllText(Path.Combine(writers.Folder, name)).Contains("<victim", StringComparison.Ordinal)),
            () => "it writes nothing: " + writers.Printed);
        victim.Signal("KILL");
        await victim.Ended();
        var before = SharedLog.Read(writers.Folder).CountOf("steady");
        await Eventually.Holds(() => SharedLog.Read(writers.Folder).CountOf("steady") > before + 10, () => "the others stopped: " + writers.Printed);
        writers.End();
        foreach (var program in writers.Writers.Where(program => program != victim))
            Assert.True(await program.Ended() == 0, program.Printed);

        var log = SharedLog.Read(writers.Folder);
        Assert.Equal(Enumerable.Range(0, 5 * Records), log.Records["busy"]);
        Assert.Equal(Enumerable.Range(0, log.Records["steady"].Count), log.Records["steady"]);
        Assert.Equal(Enumerable.Range(0, log.Records["victim"].Count), log.Records["victim"]);

        // The half line of the one that was killed, with which another's line may share a line.
        Assert.True(log.BrokenLines.Count <= 1, string.Join('\n', log.BrokenLines));
    }

    [Fact]
    public async Task SIGHUP_reopens_the_file_and_does_not_end_the_process()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "there is no such signal");
        using var writers = new FileWriters();
        var writer = writers.Add("w", 0, "ReopenWhenMoved=false", "ReopenSignal=SIGHUP");
        var path = writers.Path;
        await writers.Begin();
        await Eventually.Holds(() => File.Exists(path) && new FileInfo(path).Length > 0, () => "nothing is written: " + writer.Printed);

        File.Move(path, path + ".1");
        writer.Signal("HUP");
        await Eventually.Holds(() => File.Exists(path) && new FileInfo(path).Length > 0, () => "it is not reopened: " + writer.Printed);
        writers.End();

        Assert.Equal(0, await writer.Ended());
        var log = SharedLog.Read(writers.Folder);
        Assert.Empty(log.BrokenLines);
        Assert.Equal(Enumerable.Range(File.ReadLines(path + ".1").Count(), log.Records["w"].Count), log.Records["w"]);
    }

    [Fact]
    public async Task Lines_of_several_processes_do_not_tear_and_a_reader_can_always_open_the_file()
    {
        using var writers = new FileWriters();
        for (var writer = 0; writer < 8; writer++)
            writers.Add($"w{writer}", 1_000, "FileSizeLimit=");
        await writers.Begin();
        await Eventually.Holds(() => File.Exists(writers.Path), () => "nothing is written: " + writers.Printed);

        var written = writers.Written();
        var opened = 0;
        for (; !written.IsCompleted; opened++)
        {
            using var reader = new FileStream(writers.Path, FileMode.Open, FileAccess.Read, FileShare.Read);
            await reader.CopyToAsync(Stream.Null, TestContext.Current.CancellationToken);
        }

        await written;
        writers.End();
        foreach (var program in writers.Writers)
            Assert.True(await program.Ended() == 0, program.Printed);
        var log = SharedLog.Read(writers.Folder);
        Assert.Empty(log.BrokenLines);
        Assert.Equal(8, log.Records.Count);
        Assert.All(log.Records.Values, static numbers => Assert.Equal(Enumerable.Range(0, 1_000), numbers));
        Assert.True(opened > 0);
    }

    private static string Names(FileWriters writers) => string.Join(' ', Directory.EnumerateFiles(writers.Folder).Select(static path => Path.GetFileName(path)));
}
