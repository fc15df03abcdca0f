using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Replay;

namespace AsyncLog.Tests.Replay;

public sealed partial class LogReaderTests
{
    [Theory]
    [InlineData("hdfs", 11, 5)]
    [InlineData("OpenSSH", 9, 4)]
    [InlineData("openstack", 8, 6)]
    [InlineData("ZOOKEEPER", 10, 5)]
    public void A_generated_log_has_every_template_with_a_value_for_each_of_its_placeholders(string name, int templates, int categories)
    {
        var log = LogReader.Read(name, seed: 1, lines: 20_000);
        Assert.Equal((name.ToLowerInvariant(), 20_000), (log.Name, log.Lines.Count));
        Assert.Equal(templates, log.Lines.Select(static line => line.Template).Distinct().Count());
        Assert.Equal(templates, log.Lines.Select(static line => line.EventId.Id).Distinct().Count());
        Assert.Equal(templates, log.Lines.Select(static line => line.EventId.Name).Distinct().Count());
        Assert.Equal(categories, log.Lines.Select(static line => line.Category).Distinct().Count());
        Assert.All(log.Lines, static line => Assert.Equal(Placeholder().Count(line.Template), line.Values.Length));
        var values = log.Lines.SelectMany(static line => line.Values).ToList();
        Assert.NotEmpty(values);
        Assert.All(values, static value => Assert.True(value is string { Length: > 0 } or long));
    }

    [Fact]
    public void The_same_seed_gives_the_same_lines_and_another_seed_gives_others()
    {
        Assert.Equal(Messages("hdfs", 7), Messages("hdfs", 7));
        Assert.NotEqual(Messages("hdfs", 7), Messages("hdfs", 8));
        // From a model in another language, so that every machine and version of .NET gives the same.
        Assert.Equal(
            ["Replica of blk_a6fefb55c353a1ea added on 10.3.122.41:50010, size 67108864", "Receiving block blk_8b6bbb0d9453627f from 10.3.107.194:50010 for 10.1.103.39:50010", "Responder 0 of blk_4bccda436a2ddba9 ends"],
            Messages("hdfs", 1).Take(3));
    }

    [Fact]
    public void Few_templates_make_most_lines_and_errors_are_rare()
    {
        var lines = LogReader.Read("hdfs", seed: 1, lines: 20_000).Lines;
        var counts = lines.CountBy(static line => line.Template).Select(static pair => pair.Value).OrderDescending().ToArray();
        Assert.InRange(counts.Take(4).Sum(), 16_000, 18_000);
        Assert.InRange(lines.Count(static line => line.Level >= LogLevel.Error), 20, 400);
        // 64 bits each: the same identifier twice is one that was used again.
        var blocks = lines.SelectMany(static line => line.Values).OfType<string>().Where(static value => value.StartsWith("blk_", StringComparison.Ordinal)).ToArray();
        Assert.InRange(blocks.Distinct().Count(), 1_000, blocks.Length / 4);
    }

    [Fact]
    public void A_log_that_a_Debian_system_keeps_is_sent_line_by_line()
    {
        var path = Array.Find(["/var/log/dpkg.log", "/var/log/alternatives.log", "/etc/services"], File.Exists);
        Assert.SkipUnless(path is not null, "no log or list of services here");
        var lines = LogReader.Read(path, seed: 1, lines: 1).Lines;
        Assert.Equal(File.ReadAllLines(path), lines.Select(static line => (string?)line.Values[0]));
    }

    [Fact]
    public void Any_text_log_is_sent_line_by_line_as_one_value()
    {
        using var folder = new TempFolder();
        File.WriteAllText(folder.File("app.log"), "12:00 [WARN] {disk} full\r\n\nERROR x\nplain");
        var lines = LogReader.Read(folder.File("app.log"), seed: 1, lines: 1).Lines;
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
        var lines = LogReader.Read(folder.File("x.log"), seed: 1, lines: 1).Lines;
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

    private static string[] Messages(string name, ulong seed) => [.. LogReader.Read(name, seed, lines: 200).Lines.Select(MessageOf)];

    [GeneratedRegex(@"\{\w+\}")]
    private static partial Regex Placeholder();

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
