
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
            Assert.Matches(@"^(Default|Files:) \S", row.Value);
        });
    }

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
