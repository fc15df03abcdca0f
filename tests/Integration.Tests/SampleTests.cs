namespace AsyncLog.Tests;

public sealed class SampleTests
{
    [Fact]
    public async Task The_console_sample_logs_without_a_host()
    {
        using var folder = new TempFolder();
        File.WriteAllText(folder.File("one"), "");
        var log = Path.Combine(Repository.Sample("Console"), "logs", "ConsoleTool.log");
        using var tool = ChildProgram.OfSample("Console", "ConsoleTool", [folder.Path], folder.Path);

        Assert.Equal(0, await tool.Ended());

        Assert.Contains(File.ReadAllLines(log), line => line.EndsWith($"[INF] Tool: 1 files below {folder.Path}", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_custom_sink_sample_prints_what_its_sink_was_given()
    {
        using var folder = new TempFolder();
        using var sample = ChildProgram.OfSample("CustomSink", "CustomSink", [], folder.Path);

        Assert.Equal(0, await sample.Ended());

        Assert.Contains(sample.Output, static line => line.StartsWith("memory/default: ", StringComparison.Ordinal) && line.EndsWith("[INF] Shop.Cart: Item 42 added", StringComparison.Ordinal));
    }

    [Fact]
    public void The_custom_sink_sample_stays_under_40_lines()
        => Assert.InRange(File.ReadLines(Path.Combine(Repository.Root, "samples", "CustomSink", "MemorySink.cs")).Count(), 1, 39);
}
