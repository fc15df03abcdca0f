using System.Text.RegularExpressions;

namespace AsyncLog.Tests.Architecture.Options;

/// <summary>What users read and what their editors complete is what the product reads.</summary>
public sealed class OptionReferenceTests
{
    [Fact]
    public void The_page_of_the_options_is_that_of_the_tables() => Same("docs/options.md", OptionsPage.Create(OptionReference.All));

    [Theory]
    [InlineData("AsyncLog", "Core")]
    [InlineData("AsyncLog.AspNetCore", "AspNetCore")]
    [InlineData("AsyncLog.Sinks.File", "Sinks.File")]
    [InlineData("AsyncLog.Sinks.Console", "Sinks.Console")]
    [InlineData("AsyncLog.Sinks.Syslog", "Sinks.Syslog")]
    [InlineData("AsyncLog.Sinks.Otlp", "Sinks.Otlp")]
    public void The_schema_of_a_package_is_that_of_its_table(string package, string folder)
        => Same($"src/{folder}/ConfigurationSchema.json", OptionsSchema.Create(Assert.Single(OptionReference.All, reference => reference.Package == package)));

    [Fact]
    public void Every_option_says_what_it_means_and_what_its_default_is()
    {
        var rows = OptionReference.All.SelectMany(static reference => reference.Rows).ToList();
        Assert.True(rows.Count > 100, $"{rows.Count} options");
        Assert.All(rows, static row =>
        {
            Assert.Matches(@"^\S[\s\S]{10,}\.$", row.Summary);
            Assert.Matches(@"^Default \S", row.Value);
        });
    }

    [Fact]
    public void The_page_says_a_default_once()
        => Assert.DoesNotMatch("(?m)^\\|.*[ |]Default (`|null|none|empty|true|false|[0-9])", OptionsPage.Create(OptionReference.All));

    [Fact]
    public void Every_row_of_a_table_has_the_reason_for_its_option_before_it()
    {
        string[] files =
        [
            "Core/Hosting/ProcessOptions.cs", "Core/Options/BaseOptions.cs", "Core/Options/OptionsTable.cs", "AspNetCore/AsyncLogRequestOptions.cs", "Sinks.File/FileSinkDefinition.cs",
            "Sinks.Console/ConsoleSinkDefinition.cs", "Sinks.Syslog/Configuration/SyslogOptionRows.cs", "Sinks.Otlp/Configuration/OtlpOptionRows.cs",
        ];
        string[][] sources = [.. files.Select(static file => Array.ConvertAll(File.ReadAllLines(Path.Combine(Repository.Root, "src", file)), static line => line.Trim()))];
        var rows = sources.SelectMany(static lines => lines.Zip(lines.Skip(1))).Where(static pair => IsRow(pair.Second)).ToList();
        Assert.Equal(99, rows.Count);
        Assert.All(rows, static row => Assert.Matches(@"^// (Two deployments differ|\.?[A-Z][\w .]+|rsyslog|journald|glog): \S", row.First));
    }

    private static bool IsRow(string line) => Regex.IsMatch(line, @"^(\.Add(Map)?\((?!KeyOf)|Add\(nameof)");

    private static void Same(string file, string expected)
    {
        var path = Path.Combine(Repository.Root, file);
        if (Environment.GetEnvironmentVariable("ASYNCLOG_ACCEPT_OPTIONS") == "1")
            File.WriteAllText(path, expected);
        var actual = File.Exists(path) ? File.ReadAllText(path).ReplaceLineEndings("\n") : "";
        if (actual != expected)
            Assert.Fail($"{file} differs from the option tables; ASYNCLOG_ACCEPT_OPTIONS=1 writes it. First difference: {FirstDifference(expected, actual)}");
    }

    private static string FirstDifference(string expected, string actual)
        => expected.Split('\n').Zip(actual.Split('\n').Concat(Enumerable.Repeat("(end)", 1 + expected.Length))).First(static lines => lines.First != lines.Second).ToString();
}
