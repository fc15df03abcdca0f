using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

/// <summary>What stands in MSG without a template.</summary>
public sealed class MessageTextTests
{
    [Theory]
    [InlineData("Rfc5424")]
    [InlineData("Rfc3164")]
    public async Task Line_breaks_are_not_the_end_of_a_message_that_goes_on_behind_what_is_kept_of_it(string format)
    {
        using var harness = new SyslogHarness(options => (options.Format, options.StructuredData) = (format, false));
        Log(harness, "x" + new string('\n', 9000) + "y");

        Assert.EndsWith(@"\n\n...", Encoding.UTF8.GetString(Assert.Single(await harness.TakeAsync())), StringComparison.Ordinal);
        Assert.Equal(1, harness.Status.Truncated);
    }

    [Fact]
    public async Task Line_breaks_at_the_end_of_a_whole_message_are_left_out()
    {
        using var harness = new SyslogHarness(static options => options.StructuredData = false);
        Log(harness, "x\n" + new string('\r', 1000) + new string('\n', 1000));

        Assert.EndsWith(" x", Encoding.UTF8.GetString(Assert.Single(await harness.TakeAsync())), StringComparison.Ordinal);
        Assert.Equal(0, harness.Status.Truncated);
    }

    private static void Log(SyslogHarness harness, string message) =>
        harness.Logger().Log(LogLevel.Information, default, message, null, static (state, _) => state);
}
