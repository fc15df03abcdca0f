using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

public sealed class ExceptionMessageTests
{
    [Fact]
    public async Task F83_Aggregates_that_hold_all_inside_them_twice_do_not_hold_the_caller()
    {
        Exception exception = new TimeoutException();
        for (var i = 0; i < 40; i++)
            exception = new AggregateException(exception, exception);
        using var harness = new SyslogHarness(static options => options.MaxMessageBytes = 8192);

        harness.Logger().Log(LogLevel.Error, default, "", exception, static (_, _) => "m");

        var record = Rfc5424Parser.Parse(Assert.Single(await harness.TakeFramesAsync()));
        Assert.Equal("(2 inner exceptions)", record.Value("log@32473", "exceptionMessage"));
    }
}
