using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

public sealed class ExceptionMessageTests
{
    [Fact]
    public async Task Aggregates_that_contain_their_children_twice_do_not_stall_the_caller()
    {
        Exception exception = new TimeoutException();
        for (var i = 0; i < 40; i++)
            exception = new AggregateException(exception, exception);
        using var harness = new SyslogHarness(static options => options.MaxMessageSize = 8192);

        harness.Logger().Log(LogLevel.Error, default, "", exception, static (_, _) => "m");

        var record = Rfc5424Parser.Parse(Assert.Single(await harness.TakeFramesAsync()));
        Assert.Equal("(2 inner exceptions)", record.Value("log@32473", "exceptionMessage"));
    }
}
