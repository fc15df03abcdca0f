using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Configuration;

/// <summary>Which receivers exist, and whose client certificate each of them gets.</summary>
public sealed class ServersTests
{
    [Fact]
    public void A_named_server_is_in_addition_to_the_local_daemon()
    {
        using var provider = SyslogProvider.Start([("Servers:audit:Endpoint", "tcp://audit")]);

        Assert.Equal(["syslog/audit", "syslog/default"], provider.Options.Keys.Order(StringComparer.Ordinal));
        Assert.Equal("tcp://audit", provider.Options["syslog/audit"].Endpoint!.OriginalString);
        Assert.Equal("udp://localhost:514", provider.Options["syslog/default"].Endpoint!.OriginalString);
    }

    [Fact]
    public void Main_false_leaves_only_the_named_servers()
    {
        using var provider = SyslogProvider.Start([("Main", "false"), ("Servers:audit:Endpoint", "tcp://audit")]);

        Assert.Equal(["syslog/audit"], provider.Options.Keys);
    }

    [Fact]
    public void A_server_named_in_code_is_in_addition_to_the_one_of_the_section()
    {
        var services = new ServiceCollection().Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        services.AddLogging(static logging => logging
            .AddAsyncSyslog(static options => (options.Endpoint, options.ShutdownTimeout) = (new Uri("udp://localhost:1"), TimeSpan.Zero))
            .AddAsyncSyslog("audit", static options => options.Endpoint = new Uri("udp://localhost:2")));
        using var provider = services.BuildServiceProvider();
        provider.GetRequiredService<ILoggerFactory>();

        Assert.Equal(
            ["syslog/audit", "syslog/default"], provider.GetRequiredService<IAsyncLogControl>().GetStatus().Instances.Select(static instance => instance.Name).Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("tls://siem", true)]
    [InlineData("tls://SIEM:6514", true)]
    [InlineData(null, true)]
    [InlineData("tls://other", false)]
    [InlineData("tls://siem:6515", false)]
    public void A_named_server_inherits_the_client_certificate_only_at_the_server_of_the_section(string? endpoint, bool inherits)
    {
        using var provider = SyslogProvider.Start(
        [
            ("Endpoint", "tls://siem"), ("Tls:CaFile", "/ca.pem"), ("Tls:ClientCertificateFile", "/c.pem"), ("Tls:ClientKeyFile", "/k.pem"), ("Tls:ClientKeyPassword", "p4ss"),
            ("Servers:audit:Facility", "LogAudit"), .. endpoint is null ? [] : new (string, string?)[] { ("Servers:audit:Endpoint", endpoint) },
        ]);

        var tls = provider.Options["syslog/audit"].Tls;
        Assert.Equal(inherits ? ("/c.pem", "/k.pem", "p4ss") : (null, null, null), (tls.ClientCertificateFile, tls.ClientKeyFile, tls.ClientKeyPassword));
        Assert.Equal("/ca.pem", tls.CaFile);
    }
}
