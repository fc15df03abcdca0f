using System.Diagnostics.Metrics;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Monitoring;

public sealed class HostedMeterTests
{
    [Fact]
    public async Task With_a_host_the_meter_comes_from_the_factory_of_its_container()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.SetMinimumLevel(LogLevel.Trace).AddFilter("Microsoft", LogLevel.None).AddSink<TestLoggerProvider, TestOptions>(
            new TestDefinition<TestOptions>("hosted", static (_, _) => new TestSink()), static options => options.Template = "{Message}{NewLine}");
        builder.Services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.FlushOnCrash) = (false, false));
        using var host = builder.Build();
        var factory = host.Services.GetRequiredService<IMeterFactory>();
        host.Services.GetRequiredService<ILoggerFactory>().CreateLogger("Test").LogInformation("before the start");
        using var reading = new MeterReading("hosted/default", instrument => ReferenceEquals(instrument.Meter.Scope, factory));
        Assert.Empty(reading.Instruments);
        await host.StartAsync(TestContext.Current.CancellationToken);
        Assert.True(await host.Services.GetRequiredService<IAsyncLogControl>().FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        Assert.Equal(1, reading.Read()["asynclog.sink.written"]);
        Assert.False(string.IsNullOrEmpty(reading.Instruments["asynclog.sink.written"].Meter.Version));
        await host.StopAsync(TestContext.Current.CancellationToken);
    }
}
