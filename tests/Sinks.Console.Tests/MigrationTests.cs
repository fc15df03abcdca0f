using Microsoft.Extensions.Logging.Console;

namespace AsyncLog.Tests;

public sealed class MigrationTests
{
    public static TheoryData<string> Options =>
        [.. new[] { typeof(ConsoleLoggerOptions), typeof(SimpleConsoleFormatterOptions), typeof(JsonConsoleFormatterOptions) }
            .SelectMany(static type => type.GetProperties()).Select(static property => property.Name).Distinct(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Options))]
    public void Every_option_of_the_console_provider_of_NET_has_its_row_in_README(string option)
    {
        var readme = File.ReadAllText(Path.Combine(Repository.Root, "README.md"));
        var rows = readme[readme.IndexOf("**Coming from .NET's console provider**", StringComparison.Ordinal)..readme.IndexOf("## Syslog", StringComparison.Ordinal)];
        Assert.Contains($"`{option}`", rows, StringComparison.Ordinal);
    }
}
