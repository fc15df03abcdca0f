using System.Text;
using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Diagnostics;

public sealed class SelfReportTests
{
    [Theory]
    [InlineData("off", LogLevel.None)]
    [InlineData("error", LogLevel.Error)]
    [InlineData("Warning", LogLevel.Warning)]
    [InlineData(" INFO ; file=/nowhere", LogLevel.Information)]
    [InlineData("verbose;", LogLevel.Debug)]
    public void The_variable_overrules_the_option_for_good(string variable, LogLevel level)
    {
        var report = SelfReport.Create(LogLevel.Warning, TimeProvider.System, variable);
        Assert.Equal(level, LevelOf(report));
        report.Use(LogLevel.Error);
        Assert.Equal(level, LevelOf(report));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("loud")]
    [InlineData("4")]
    [InlineData(";file=/nowhere")]
    public void Without_a_level_in_the_variable_the_option_counts(string? variable)
    {
        var report = SelfReport.Create(LogLevel.Error, TimeProvider.System, variable);
        Assert.Equal(LogLevel.Error, LevelOf(report));
        report.Use(LogLevel.Information);
        Assert.Equal(LogLevel.Information, LevelOf(report));
    }

    [Fact]
    public void Controls_line_breaks_and_bidi_controls_of_a_name_are_escaped()
    {
        var said = new StringWriter();
        var report = new SelfReport(LogLevel.Warning, new FakeTimeProvider(), () => said);
        report.Write(LogLevel.Warning, "a", "no file a\0\u0007\t\r\n\u001b\u007f\u0085\u2028\u2029\u061c\u200e\u200f\u202a\u202eb\u2066\u2069 é.");
        Eventually.True(report.Flush);
        Assert.Equal(
            [@"warn a: no file a\u0000\u0007\u0009\u000d\u000a\u001b\u007f\u0085\u2028\u2029\u061c\u200e\u200f\u202a\u202eb\u2066\u2069 é."], MessagesOf(said));
    }

    [Fact]
    public void The_variable_may_name_a_file_to_append_to()
    {
        var folder = Directory.CreateTempSubdirectory("asynclog-");
        try
        {
            var path = Path.Combine(folder.FullName, "self.log");
            File.WriteAllText(path, "before\n");
            var report = SelfReport.Create(LogLevel.Warning, new FakeTimeProvider(), $"info;file={path}");
            report.Write(LogLevel.Information, "file/errors", "is open.");
            Eventually.True(report.Flush);
            Assert.Equal($"before\n2026-11-20 12:31:07.482 +00:00 AsyncLog: info file/errors: is open.{Environment.NewLine}", File.ReadAllText(path));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public void Every_line_begins_with_its_local_time()
    {
        var time = new FakeTimeProvider();
        time.SetZone(TimeZoneInfo.CreateCustomTimeZone("test", TimeSpan.FromHours(5.5), "test", "test"));
        var said = new StringWriter();
        var report = new SelfReport(LogLevel.Warning, time, () => said);
        report.Write(LogLevel.Error, "file/errors", "cannot write.");
        time.Advance(TimeSpan.FromHours(6));
        report.Write(LogLevel.Error, "file/errors", "still cannot.");
        Eventually.True(report.Flush);
        Assert.Equal(
            [
                "2026-11-20 18:01:07.482 +05:30 AsyncLog: error file/errors: cannot write.",
                "2026-11-21 00:01:07.482 +05:30 AsyncLog: error file/errors: still cannot.",
            ],
            said.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries));
    }

    [Theory]
    [InlineData("debug", "ASYNCLOG_DIAGNOSTICS 'debug' is not valid: expected off, error, warning, info or verbose. The level stays Error.")]
    [InlineData("inf", "ASYNCLOG_DIAGNOSTICS 'inf' is not valid: expected off, error, warning, info or verbose; did you mean 'Info'? The level stays Error.")]
    [InlineData("info;path=/x", "ASYNCLOG_DIAGNOSTICS 'path=/x' is not valid: expected file=PATH after the ';'.")]
    [InlineData("info;file=/nowhere/at/all", "cannot write to the file that ASYNCLOG_DIAGNOSTICS names: Could not find a part of the path '/nowhere/at/all'. stderr is used instead.")]
    public void What_the_variable_says_wrongly_is_reported(string variable, string expected)
    {
        var said = new StringWriter();
        var report = SelfReport.Create(LogLevel.Error, new FakeTimeProvider(), variable, () => said);
        Eventually.True(report.Flush);
        Assert.Equal($"2026-11-20 12:31:07.482 +00:00 AsyncLog: error self-report: {expected.Replace("'/nowhere/at/all'", $"'{Path.GetFullPath("/nowhere/at/all")}'", StringComparison.Ordinal)}", said.ToString().TrimEnd());
    }

    [Fact]
    public void The_end_of_trouble_is_news_of_level_info_that_is_shown_wherever_the_trouble_was()
    {
        var said = new StringWriter();
        var report = new SelfReport(LogLevel.Error, new FakeTimeProvider(), () => said);
        report.Report(LogLevel.Error, "file/errors", "delivery", "cannot write.");
        report.Report(LogLevel.Warning, "file/errors", "space", "little space.");
        report.Resolve("file/errors", "space", "there is space again.");
        report.Resolve("file/errors", "delivery", "delivery works again.");
        report.Resolve("file/errors", "delivery", "delivery works again.");
        Eventually.True(report.Flush);
        Assert.Equal(["error file/errors: cannot write.", "info file/errors: delivery works again."], MessagesOf(said));
    }

    [Fact]
    public void A_new_reason_of_the_same_trouble_is_told_at_once_and_each_reason_once_a_minute()
    {
        var said = new StringWriter();
        var time = new FakeTimeProvider();
        var report = new SelfReport(LogLevel.Warning, time, () => said);
        for (var second = 0; second < 60; second++)
        {
            var reason = second % 2 == 0 ? "reset" : "tls";
            report.Report(LogLevel.Warning, "otlp/default", "delivery", $"{reason}.", reason);
            time.Advance(TimeSpan.FromSeconds(1));
        }

        report.Report(LogLevel.Warning, "otlp/default", "delivery", "reset.", "reset");
        report.Resolve("otlp/default", "delivery", "delivery works again.");
        report.Report(LogLevel.Warning, "otlp/default", "delivery", "tls.", "tls");
        Eventually.True(report.Flush);
        Assert.Equal(
            [
                "warn otlp/default: reset.", "warn otlp/default: tls.", "warn otlp/default: reset. (30 times since the last report)", "info otlp/default: delivery works again.",
                "warn otlp/default: tls.",
            ],
            MessagesOf(said));
    }

    [Fact]
    public async Task A_writer_that_is_stuck_holds_no_thread_that_reports_and_what_it_misses_is_counted()
    {
        using var gate = new ManualResetEventSlim();
        var said = new StuckWriter(gate);
        var report = new SelfReport(LogLevel.Warning, new FakeTimeProvider(), () => said);
        report.Write(LogLevel.Warning, "a", "stuck.");
        await Eventually.Holds(() => said.IsStuck);
        var reporting = Task.Factory.StartNew(
            () =>
            {
                for (var i = 0; i < 100; i++)
                    report.Write(LogLevel.Warning, "a", "waits or is suppressed.");
                report.Write(LogLevel.Information, "a", "not printed at this level anyway.");
                // One of them is waited for, for a second.
                for (var i = 0; i < 40; i++)
                    report.WriteFinal(LogLevel.Warning, "a", "suppressed.");
            },
            TestContext.Current.CancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await reporting.WaitAsync(TimeSpan.FromSeconds(10), TestContext.Current.CancellationToken);
        Assert.Empty(said.Lines);
        gate.Set();
        await Eventually.Holds(() => said.Lines.Length == 66);
        Assert.EndsWith("warn a: stuck.", said.Lines[0], StringComparison.Ordinal);
        Assert.All(said.Lines[1..65], static line => Assert.EndsWith("warn a: waits or is suppressed.", line, StringComparison.Ordinal));
        Assert.EndsWith("warn self-report: 76 messages were suppressed, because they could not be written in time.", said.Lines[65], StringComparison.Ordinal);
        report.WriteFinal(LogLevel.Warning, "a", "back.");
        Eventually.True(report.Flush);
        Assert.Equal(67, said.Lines.Length);
        Assert.EndsWith("warn a: back.", said.Lines[66], StringComparison.Ordinal);
    }

    [Fact]
    public void A_writer_that_throws_is_tried_again_with_the_next_report()
    {
        var said = new StringWriter();
        var isBroken = true;
        var report = new SelfReport(LogLevel.Warning, new FakeTimeProvider(), () => Volatile.Read(ref isBroken) ? throw new InvalidOperationException("no test is running") : said);
        report.Report(LogLevel.Warning, "a", "delivery", "broken.");
        Eventually.True(report.Flush);
        report.WriteFinal(LogLevel.Warning, "a", "broken too.");
        Eventually.True(report.Flush);
        Volatile.Write(ref isBroken, false);
        report.Resolve("a", "delivery", "works again.");
        Eventually.True(report.Flush);
        Assert.Equal(["info a: works again.", "warn self-report: 2 messages were suppressed, because they could not be written in time."], MessagesOf(said));
    }

    [Fact]
    public void A_writer_that_fails_after_the_queue_of_lines_is_full_is_tried_again_with_the_next_report()
    {
        var said = new StringWriter();
        using var writing = new ManualResetEventSlim();
        using var failing = new ManualResetEventSlim();
        var isFirst = true;
        var report = new SelfReport(LogLevel.Warning, new FakeTimeProvider(), () =>
        {
            if (!isFirst)
                return said;
            writing.Set();
            failing.Wait();
            isFirst = false;
            throw new IOException("no space");
        });
        report.Write(LogLevel.Warning, "a", "0.");
        Eventually.True(() => writing.IsSet);
        for (var i = 1; i < 100; i++)
            report.Write(LogLevel.Warning, "a", $"{i}.");
        failing.Set();
        Eventually.True(report.Flush);
        Assert.Empty(said.ToString());

        report.Write(LogLevel.Warning, "a", "one more.");
        Eventually.True(report.Flush);

        var lines = MessagesOf(said);
        Assert.Equal(Enumerable.Range(1, 64).Select(static i => $"warn a: {i}."), lines[..^1]);
        Assert.Equal("warn self-report: 37 messages were suppressed, because they could not be written in time.", lines[^1]);
    }

    [Fact]
    public void A_redirected_console_gets_the_lines_in_the_flow_of_execution_that_reported()
    {
        var flow = new AsyncLocal<string> { Value = "test" };
        var flows = new List<string?>();
        var report = new SelfReport(LogLevel.Warning, new FakeTimeProvider(), () =>
        {
            flows.Add(flow.Value);
            return TextWriter.Null;
        });
        report.WriteFinal(LogLevel.Warning, "a", "said.");
        Eventually.True(report.Flush);
        Assert.Equal(["test"], flows);
    }

    [Theory]
    [InlineData("x")]
    [InlineData("\u00e9")]
    [InlineData("\u20ac")]
    [InlineData("\U0001f600")]
    public void A_line_has_at_most_a_kilobyte_and_is_cut_between_two_characters(string character)
    {
        var said = new StringWriter();
        var report = new SelfReport(LogLevel.Warning, TimeProvider.System, () => said);
        report.WriteFinal(LogLevel.Warning, "file/errors", string.Concat(Enumerable.Repeat(character, 2000)));
        Eventually.True(report.Flush);
        var line = said.ToString().TrimEnd();
        Assert.InRange(Encoding.UTF8.GetByteCount(line), 1021, 1024);
        Assert.EndsWith(character + "...", line, StringComparison.Ordinal);
        Assert.DoesNotContain("\ufffd", line, StringComparison.Ordinal);
    }

    [Fact]
    public void With_info_the_start_of_each_instance_is_told_and_then_the_level_of_each_category_once()
    {
        const string Start = "info test/default: test \"default\" -> memory (text).";
        const string Level = "info test/default: category Test from Trace on (LoggerFilterOptions.MinLevel).";
        const string CartLevel = "info test/default: category Shop.Cart from Trace on (LoggerFilterOptions.MinLevel).";
        var time = new FakeTimeProvider();
        var type = new TestDefinition<TestOptions>("test", static (_, context) =>
        {
            context.SetTarget("memory");
            return new TestSink();
        });
        using var pipeline = new TestPipeline(new TestSink(), timeProvider: time, type: type, selfReport: LogLevel.Information);
        // The caller that made the logger does not wait for stderr.
        Assert.Equal([Start], MessagesOf(pipeline.Said));
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal([Start, Level], MessagesOf(pipeline.Said));
        pipeline.Factory.CreateLogger("Shop.Cart");
        time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal([Start, Level, CartLevel], MessagesOf(pipeline.Said));
    }

    [Fact]
    public async Task Levels_are_told_when_info_is_switched_on_and_again_when_they_change()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Edit(("AsyncLog:SelfReportLevel", "Information"));
        await Eventually.Holds(() => pipeline.Said.Contains("reload/default: category Test from Trace on (Logging:LogLevel:Default).", StringComparison.Ordinal));
        pipeline.Edit(("LogLevel:Test", "Critical"));
        await Eventually.Holds(() => pipeline.Said.Contains("reload/default: category Test from Critical on (Logging:Reload:LogLevel:Test).", StringComparison.Ordinal));
        Assert.Equal(2, pipeline.Said.Split("category ").Length - 1);
    }

    [Fact]
    public void Without_info_nothing_of_it_is_told()
    {
        var time = new FakeTimeProvider();
        using var pipeline = new TestPipeline(new TestSink(), timeProvider: time);
        time.Advance(TimeSpan.FromSeconds(2));
        Assert.Empty(pipeline.Said);
    }

    private static string[] MessagesOf(StringWriter said) => MessagesOf(said.ToString());

    private static string[] MessagesOf(string said)
        => [.. said.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries)
            .Select(static line => line[(line.IndexOf("AsyncLog: ", StringComparison.Ordinal) + "AsyncLog: ".Length)..])];

    private static LogLevel LevelOf(SelfReport report) => Enum.GetValues<LogLevel>().Where(report.IsEnabled).DefaultIfEmpty(LogLevel.None).Min();

    /// <summary>A terminal that was stopped: no line goes through until the gate is open.</summary>
    private sealed class StuckWriter(ManualResetEventSlim gate) : StringWriter(System.Globalization.CultureInfo.InvariantCulture)
    {
        private readonly System.Collections.Concurrent.ConcurrentQueue<string> _lines = new();

        public string[] Lines => [.. _lines];

        public bool IsStuck { get; private set; }

        public override void WriteLine(string? value)
        {
            IsStuck = true;
            gate.Wait();
            _lines.Enqueue(value!);
        }
    }
}
