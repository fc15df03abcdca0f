using System.Globalization;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using log4net.Appender;
using Microsoft.Extensions.Logging.Console;
using NLog.Targets.Wrappers;
using OpenTelemetry.Logs;
using Serilog;

namespace AsyncLog.Tests.Documents;

/// <summary>The pages and chapters on migration: both sides run, and what they write differs in what the page names and nothing else.</summary>
public sealed partial class MovingTests
{
    private const string Own = "AsyncLog";
    private const string Calls = "The same calls";
    private static readonly string[] Libraries = ["serilog", "nlog", "log4net", "console", "opentelemetry"];

    public static TheoryData<string, string, long> Defaults => new()
    {
        { "serilog", "`fileSizeLimitBytes` (1 GB)", ParameterOfSerilog("fileSizeLimitBytes") >> 30 },
        { "serilog", "`retainedFileCountLimit` (31)", ParameterOfSerilog("retainedFileCountLimit") },
        { "nlog", "`queueLimit` (10,000)", new AsyncTargetWrapper().QueueLimit },
        { "log4net", "`maximumFileSize` (10MB)", new RollingFileAppender().MaxFileSize >> 20 },
        { "log4net", "`maxSizeRollBackups` (0: none is kept)", new RollingFileAppender().MaxSizeRollBackups },
        { "console", "`MaxQueueLength` (2,500)", new ConsoleLoggerOptions().MaxQueueLength },
        { "opentelemetry", "`MaxQueueSize` (2,048)", new BatchExportLogRecordProcessorOptions().MaxQueueSize },
        { "opentelemetry", "`MaxExportBatchSize` (512)", new BatchExportLogRecordProcessorOptions().MaxExportBatchSize },
        { "opentelemetry", "`ScheduledDelayMilliseconds` (5,000)", new BatchExportLogRecordProcessorOptions().ScheduledDelayMilliseconds },
    };

    [Fact]
    public async Task The_files_of_Serilog_differ_in_indented_exceptions_and_the_rendered_message_of_CLEF()
        => await Compare("serilog", "Serilog", Calls, Calls, static line => line);

    [Fact]
    public async Task The_files_of_NLog_differ_in_indented_exceptions_and_two_names_of_levels()
        => await Compare("nlog", "NLog", Calls, Calls, static line => line
            .Replace("|INFO|", "|INFORMATION|", StringComparison.Ordinal)
            .Replace("|WARN|", "|WARNING|", StringComparison.Ordinal));

    [Fact]
    public async Task The_files_of_log4net_differ_in_indented_exceptions_and_the_names_of_levels()
        => await Compare("log4net", "log4net", "Calls of log4net", "Calls of AsyncLog", static line => line
            .Replace(" INFO  ", " INFORMATION ", StringComparison.Ordinal)
            .Replace(" WARN  ", " WARNING     ", StringComparison.Ordinal)
            .Replace(" ERROR ", " ERROR       ", StringComparison.Ordinal));

    [Fact]
    [Trait("Category", "slow")]
    public void The_JSON_of_the_console_provider_of_NET_differs_in_empty_scopes_and_in_messages_of_scopes_without_a_text_only()
    {
        var page = Page("console");
        var theirs = Moved.Output(page, "Console provider of .NET", Calls);
        var own = Moved.Output(page, Own, Calls);

        Assert.Equal(Shown(page, "What AsyncLog writes"), own);
        Assert.Contains(theirs, static line => line.Contains(",\"Scopes\":[]", StringComparison.Ordinal));
        Assert.Contains(
            theirs,
            static line => line.Contains(
                "\"Message\":\"System.Collections.Generic.Dictionary\\u00602[System.String,System.Object]\",",
                StringComparison.Ordinal));
        Assert.Equal(theirs.Select(static line => Members(line
            .Replace(",\"Scopes\":[]", "", StringComparison.Ordinal)
            .Replace("\"Message\":\"System.Collections.Generic.Dictionary\\u00602[System.String,System.Object]\",", "", StringComparison.Ordinal))), own.Select(Members));
    }

    [Fact]
    public async Task A_collector_gets_from_OpenTelemetry_the_same_records_but_for_the_type_of_an_exception()
    {
        var page = Page("opentelemetry");
        var theirs = await Sent(page, "OpenTelemetry");
        var own = await Sent(page, Own);

        Assert.Equal(Shown(page, "What the collector gets from AsyncLog"), own);
        Assert.Contains(theirs, static line => line.Contains("exception.type = Timeout", StringComparison.Ordinal));
        Assert.Equal(theirs.Select(static line => line.Replace("exception.type = Timeout", "exception.type = System.Timeout", StringComparison.Ordinal)), own);
    }

    [Theory]
    [MemberData(nameof(Defaults))]
    public void A_default_of_another_library_is_as_its_page_says(string page, string text, long value)
    {
        Assert.Contains(text, Page(page).Text, StringComparison.Ordinal);
        Assert.Equal(value.ToString("N0", CultureInfo.InvariantCulture), Number().Match(text).Groups["number"].Value);
    }

    [Fact]
    public void The_versions_on_the_pages_are_those_the_tests_run()
    {
        var versions = XDocument.Load(Path.Combine(Repository.Root, "Directory.Packages.props")).Descendants("PackageVersion")
            .ToDictionary(static package => (string)package.Attribute("Include")!, static package => (string)package.Attribute("Version")!, StringComparer.Ordinal);
        var named = Libraries.SelectMany(static library => Version().Matches(Page(library).Text)).ToList();

        Assert.Equal(10, named.Count);
        Assert.All(named, match => Assert.Equal(versions[match.Groups["package"].Value], match.Groups["version"].Value));
    }

    // A sink for one kind of destination has the chapter on moving on its own page.
    private static Document Page(string library) => Document.At(library switch
    {
        "console" => "docs/console.md",
        "opentelemetry" => "docs/otlp.md",
        _ => $"docs/migrate-from-{library}.md",
    });

    private static async Task Compare(string library, string heading, string theirCalls, string ownCalls, Func<string, string> translate)
    {
        var page = Page(library);
        var theirs = await Moved.FilesAsync(page, heading, theirCalls);
        var own = await Moved.FilesAsync(page, Own, ownCalls);

        Assert.Equal(theirs.Keys.Order(StringComparer.Ordinal), own.Keys.Order(StringComparer.Ordinal));
        foreach (var (file, lines) in own)
        {
            Assert.Equal(Shown(page, $"logs/{file}"), lines);
            Assert.NotEqual(theirs[file], lines);
            Assert.Equal(theirs[file].Select(line => Members(Indented(translate(line)))), lines.Select(Members));
        }
    }

    private static async Task<string[]> Sent(Document page, string heading)
    {
        await using var collector = await Collector.StartAsync();
        await Moved.FilesAsync(page, heading, Calls, collector.Address);
        return collector.Records;
    }

    private static string[] Shown(Document page, string heading)
        => [.. Assert.Single(page.Blocks, block => Moved.WithoutDay(block.Heading) == heading).Text
            .Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(Moved.WithoutTime)];

    private static long ParameterOfSerilog(string name) => Convert.ToInt64(
        typeof(FileLoggerConfigurationExtensions).GetMethods().Where(static method => method.Name == "File").SelectMany(static method => method.GetParameters())
            .First(parameter => parameter.Name == name && parameter.DefaultValue is int or long).DefaultValue,
        CultureInfo.InvariantCulture);

    // A line that begins neither with a digit of its time nor with a brace continues the record before.
    private static string Indented(string line) => char.IsAsciiDigit(line[0]) || line[0] == '{' ? line : $"  {line}";

    // An object has no order. Of CLEF the rendered message is left out: Serilog's compact form has the template alone.
    private static string Members(string line)
        => line[0] != '{' ? line : string.Join('\n', JsonNode.Parse(line)!.AsObject()
            .Where(static member => member.Key != "@m").OrderBy(static member => member.Key, StringComparer.Ordinal)
            .Select(static member => $"{member.Key}: {member.Value!.ToJsonString()}"));

    [GeneratedRegex(@"\b(?<package>Serilog[A-Za-z.]*|NLog[A-Za-z.]*|log4net|OpenTelemetry(\.Exporter\.OpenTelemetryProtocol)?) (?<version>[0-9]+\.[0-9]+\.[0-9]+)", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Version();

    [GeneratedRegex(@"\((?<number>[0-9,]+)", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Number();
}
