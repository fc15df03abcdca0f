using Microsoft.Extensions.Logging.Console;

namespace AsyncLog.Tests;

public sealed class MigrationTests
{
    public static TheoryData<string> Options =>
        [.. new[] { typeof(ConsoleLoggerOptions), typeof(SimpleConsoleFormatterOptions), typeof(JsonConsoleFormatterOptions) }
            .SelectMany(static type => type.GetProperties()).Select(static property => property.Name).Distinct(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Options))]
    public void Every_option_of_the_console_provider_of_NET_has_its_row_on_the_page_on_moving(string option)
    {
        var page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "console.md"));
        var rows = page[page.IndexOf("### Settings", StringComparison.Ordinal)..page.IndexOf("### One configuration", StringComparison.Ordinal)];
        Assert.Contains($"`{option}`", rows, StringComparison.Ordinal);
    }
}
