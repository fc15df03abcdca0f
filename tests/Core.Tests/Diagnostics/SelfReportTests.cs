using System.Text;
using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Reload;

namespace AsyncLog.Tests.Diagnostics;

public sealed class SelfReportTests
{
    [Theory]
    [InlineData("off", SelfReportLevel.Off)]
    [InlineData("error", SelfReportLevel.Error)]
    [InlineData("Warning", SelfReportLevel.Warning)]
    [InlineData(" INFO ; file=/nowhere", SelfReportLevel.Info)]
    [InlineData("verbose;", SelfReportLevel.Verbose)]
    public void OB_51_The_variable_overrules_the_option_for_good(string variable, SelfReportLevel level)
    {
        var report = SelfReport.Create(SelfReportLevel.Warning, TimeProvider.System, variable);
        Assert.Equal(level, LevelOf(report));
        report.Use(SelfReportLevel.Error);
        Assert.Equal(level, LevelOf(report));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("loud")]
    [InlineData("4")]
    [InlineData(";file=/nowhere")]
    public void OB_51_Without_a_level_in_the_variable_the_option_counts(string? variable)
    {
        var report = SelfReport.Create(SelfReportLevel.Error, TimeProvider.System, variable);
        Assert.Equal(SelfReportLevel.Error, LevelOf(report));
        report.Use(SelfReportLevel.Info);
        Assert.Equal(SelfReportLevel.Info, LevelOf(report));
    }

    [Fact]
    public void OB_51_The_variable_may_name_a_file_to_append_to()
    {
        var folder = Directory.CreateTempSubdirectory("asynclog-");
        try
        {
            var path = Path.Combine(folder.FullName, "self.log");
            File.WriteAllText(path, "before\n");
            var report = SelfReport.Create(SelfReportLevel.Warning, TimeProvider.System, $"info;file={path}");
            report.Tell(SelfReportLevel.Info, "file/errors", "is open.");
            using var reader = new StreamReader(new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite));
            Assert.Equal($"before\nAsyncLog: info file/errors: is open.{Environment.NewLine}", reader.ReadToEnd());
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Theory]
    [InlineData("x")]
    [InlineData("\u00e9")]
    [InlineData("\u20ac")]
    [InlineData("\U0001f600")]
    public void OB_50_A_line_has_at_most_a_kilobyte_and_is_cut_between_two_characters(string character)
    {
        var said = new StringWriter();
        var report = new SelfReport(SelfReportLevel.Warning, TimeProvider.System, () => said);
        report.Tell(SelfReportLevel.Warning, "file/errors", string.Concat(Enumerable.Repeat(character, 2000)));
        var line = said.ToString().TrimEnd();
        Assert.InRange(Encoding.UTF8.GetByteCount(line), 1021, 1024);
        Assert.EndsWith(character + "...", line, StringComparison.Ordinal);
        Assert.DoesNotContain("\ufffd", line, StringComparison.Ordinal);
    }

    [Fact]
    public void OB_51_With_info_the_start_of_each_instance_is_told_and_then_the_level_of_each_category_once()
    {
        const string Level = "AsyncLog: info test/default: category Test from Trace on (LoggerFilterOptions.MinLevel).";
        var time = new FakeTimeProvider();
        var type = new SinkType<TestOptions>("test", static (_, context) =>
        {
            context.SetTarget("memory");
            return new TestSink();
        });
        using var pipeline = new TestPipeline(new TestSink(), timeProvider: time, type: type, selfReport: SelfReportLevel.Info);
        Assert.Contains("AsyncLog: info test/default: test \"default\" -> memory (text).", pipeline.Said, StringComparison.Ordinal);
        // The caller that made the logger does not wait for stderr.
        Assert.DoesNotContain(Level, pipeline.Said, StringComparison.Ordinal);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Contains(Level, pipeline.Said, StringComparison.Ordinal);
        pipeline.Factory.CreateLogger("Shop.Cart");
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Contains("category Shop.Cart from Trace on", pipeline.Said, StringComparison.Ordinal);
        Assert.Equal(1, pipeline.Said.Split(Level).Length - 1);
    }

    [Fact]
    public async Task OB_51_Levels_are_told_when_info_is_switched_on_and_again_when_they_change()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Edit(("AsyncLog:SelfReport", "Info"));
        await Eventually.Holds(() => pipeline.Said.Contains("reload/default: category Test from Trace on (Logging:LogLevel:Default).", StringComparison.Ordinal));
        pipeline.Edit(("LogLevel:Test", "Critical"));
        await Eventually.Holds(() => pipeline.Said.Contains("reload/default: category Test from Critical on (Logging:Reload:LogLevel:Test).", StringComparison.Ordinal));
    }

    [Fact]
    public void OB_51_Without_info_nothing_of_it_is_told()
    {
        var time = new FakeTimeProvider();
        using var pipeline = new TestPipeline(new TestSink(), timeProvider: time);
        time.Advance(TimeSpan.FromSeconds(2));
        Assert.Empty(pipeline.Said);
    }

    private static SelfReportLevel LevelOf(SelfReport report) => Enum.GetValues<SelfReportLevel>().Where(report.IsEnabled).DefaultIfEmpty(SelfReportLevel.Off).Max();
}
