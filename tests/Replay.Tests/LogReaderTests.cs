using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Replay.Tests;

public sealed class LogReaderTests
{
    [Theory]
    [InlineData("hdfs", 6)]
    [InlineData("OpenSSH", 1)]
    [InlineData("openstack", 10)]
    [InlineData("ZOOKEEPER", 70)]
    public void A_log_of_the_library_is_read_with_template_level_and_category_of_each_line(string name, int categories)
    {
        var log = LogReader.Read(name);
        Assert.Equal(2000, log.Lines.Count);
        Assert.Equal(categories, log.Lines.Select(static line => line.Category).Distinct().Count());
        Assert.DoesNotContain(log.Lines, static line => line.Template == "{Line}");
        Assert.All(log.Lines, static line => Assert.NotEqual(0, line.EventId.Id));
        // The message is the end of the line it was read from.
        var texts = File.ReadAllLines(Path.Combine(LogReader.Library, log.Name + ".log"));
        Assert.All(texts.Zip(log.Lines), static pair => Assert.EndsWith(MessageOf(pair.Second).TrimEnd(), pair.First.TrimEnd(), StringComparison.Ordinal));
    }

    [Fact]
    public void Levels_of_a_library_log_are_those_of_its_lines()
    {
        var lines = LogReader.Read("zookeeper").Lines;
        Assert.Equal([LogLevel.Information, LogLevel.Warning, LogLevel.Error], lines.Select(static line => line.Level).Distinct().Order());
    }

    [Fact]
    public void The_licence_goes_with_the_logs() => Assert.True(File.Exists(Path.Combine(LogReader.Library, "LICENSE")));

    [Fact]
    public void Any_text_log_is_sent_line_by_line_as_one_value()
    {
        using var folder = new TempFolder();
        File.WriteAllText(folder.File("app.log"), "12:00 [WARN] {disk} full\r\n\nERROR x\nplain");
        var lines = LogReader.Read(folder.File("app.log")).Lines;
        Assert.Equal(["12:00 [WARN] {disk} full", "", "ERROR x", "plain"], lines.Select(static line => (string?)line.Values[0]));
        Assert.Equal([LogLevel.Warning, LogLevel.Information, LogLevel.Error, LogLevel.Information], lines.Select(static line => line.Level));
        Assert.All(lines, static line => Assert.Equal(("app", "{Line}"), (line.Category, line.Template)));
    }

    [Fact]
    public void A_line_that_does_not_match_its_template_is_one_value()
    {
        using var folder = new TempFolder();
        File.WriteAllText(folder.File("x.log"), "a took 5 ms\nb ended\nnot in the table\n{c}\nlast\n");
        File.WriteAllText(
            folder.File("x.structured.csv"),
            "LineId,Level,Component,Content,EventId,EventTemplate\n1,WARN,\"C \"\"1\"\", x\",a took 5 ms,E3,<*> took <*> ms\n2,INFO,C2,b ended,E4,<*> began\n3,INFO,C2,other,E4,other\n4,INFO,C2,{c},E5,{c}\n");
        var lines = LogReader.Read(folder.File("x.log")).Lines;
        Assert.Equal((LogLevel.Warning, "C \"1\", x", new EventId(3, "E3"), "{P1} took {P2} ms"), (lines[0].Level, lines[0].Category, lines[0].EventId, lines[0].Template));
        Assert.Equal<object?>(["a", 5L], lines[0].Values);
        Assert.All(lines.Skip(1), static line => Assert.Equal("{Line}", line.Template));
        Assert.Equal(["b ended", "not in the table", "{c}", "last"], lines.Skip(1).Select(MessageOf));
    }

    [Theory]
    [InlineData("<*>", "", "{P1}", "")]
    [InlineData("a {<*>} b", "a {x} b", "a {{{P1}}} b", "x")]
    [InlineData("<*> to <*>", "1 to 2 to 3", "{P1} to {P2}", "1|2 to 3")]
    [InlineData("n <*>", "n 007", "n {P1}", "007")]
    [InlineData("n <*>", "n -12", "n {P1}", "-12")]
    public void A_template_gives_named_holes_and_their_values(string template, string line, string text, string values)
    {
        var read = new LineTemplate(template);
        Assert.Equal(text, read.Text);
        var found = read.Match(line)!;
        Assert.Equal(values.Split('|'), found.Select(static value => FormattableString.Invariant($"{value}")));
        Assert.Equal(line, MessageOf(new ReplayLine(LogLevel.Information, "c", default, read.Text, found)));
    }

    private static string MessageOf(ReplayLine line)
    {
        var message = "";
        new Keeper(text => message = text).Log(line.Level, line.EventId, line.Template, line.Values);
        return message;
    }

    private sealed class Keeper(Action<string> keep) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => NullLogger.Instance.BeginScope(state);

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            => keep(formatter(state, exception));
    }
}
