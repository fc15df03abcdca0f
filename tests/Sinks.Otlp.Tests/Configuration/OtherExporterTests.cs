using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using OpenTelemetry.Logs;

namespace AsyncLog.Tests.Configuration;

public sealed class OtherExporterTests
{
    [Fact]
    public void OpenTelemetrys_own_log_exporter_is_found_whatever_the_order_of_registration()
    {
        var services = new ServiceCollection();
        services.AddLogging(static builder => builder.AddAsyncOtlp().AddOpenTelemetry(static logging => logging.AddOtlpExporter()));
        Assert.True(OtherExporter.IsIn(services));
    }

    [Fact]
    public void Without_OpenTelemetrys_logger_provider_there_is_none()
    {
        var services = new ServiceCollection();
        services.AddLogging(static builder => builder.AddAsyncOtlp());
        Assert.False(OtherExporter.IsIn(services));
    }

    [Theory]
    [InlineData("http://localhost:4318/v1/logs", null, true)]
    [InlineData("http://localhost:9999/v1/logs", null, false)]
    [InlineData("http://elsewhere:4318/v1/logs", null, false)]
    [InlineData("http://elsewhere:4318/v1/logs", "http://elsewhere:4317", true)]
    [InlineData("https://collector:443/v1/logs", "https://collector", true)]
    [InlineData("http://collector:4317/x", "collector:4317", true)]
    public void It_shares_the_collector_when_host_and_port_or_both_customary_ports_agree(string endpoint, string? variable, bool isShared)
    {
        var options = new AsyncOtlpOptions { Endpoint = new Uri(endpoint) };
        options.Variables.Endpoint = variable;
        Assert.Equal(isShared, OtherExporter.SharesCollector(options));
    }
}
