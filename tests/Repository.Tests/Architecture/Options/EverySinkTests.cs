using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Architecture.Options;

/// <summary>What the registration of every sink of this repository does. No sink is started: its options are asked for.</summary>
public sealed class EverySinkTests
{
    [Fact]
    public void A_given_section_is_read_with_its_units_and_its_named_files()
        => AssertReadsSection<AsyncFileLoggerOptions>(
            static (builder, section) => builder.AddAsyncFile(section), ("FileSizeLimit", "5MB"), "Files",
            static options => (options.FileSizeLimit, options.ShutdownTimeout), ((long?)(5L << 20), TimeSpan.FromSeconds(2)));

    [Fact]
    public void A_given_section_is_read_with_its_units_and_its_named_streams()
        => AssertReadsSection<AsyncConsoleLoggerOptions>(
            static (builder, section) => builder.AddAsyncConsole(section), ("SingleLine", "true"), "Streams",
            static options => (options.SingleLine, options.ShutdownTimeout), (true, TimeSpan.FromSeconds(2)));

    [Fact]
    public void A_given_section_is_read_with_its_units_and_its_named_servers()
        => AssertReadsSection<AsyncSyslogLoggerOptions>(
            static (builder, section) => builder.AddAsyncSyslog(section), ("MaxMessageSize", "4KB"), "Servers",
            static options => (options.MaxMessageSize, options.ShutdownTimeout), ((int?)(4 << 10), TimeSpan.FromSeconds(2)));

    [Fact]
    public void A_given_section_is_read_with_its_units_and_its_named_collectors()
        => AssertReadsSection<AsyncOtlpLoggerOptions>(
            static (builder, section) => builder.AddAsyncOtlp(section), ("MaxRequestSize", "1MB"), "Collectors",
            static options => (options.MaxRequestSize, options.ShutdownTimeout), (1 << 20, TimeSpan.FromSeconds(2)));

    [Fact]
    public void Options_from_the_container_are_a_copy_of_all_that_configuration_and_code_set()
    {
        var configuration = MemorySource.Build([
            ("MyLogs:Endpoint", "https://localhost:9"), ("MyLogs:Headers:api-key", "k"), ("MyLogs:ResourceAttributes:site", "north"), ("MyLogs:Tls:ServerName", "s")]);
        using var provider = new ServiceCollection().AddLogging(builder => builder.AddAsyncOtlp(configuration.GetSection("MyLogs"))
            .AddAsyncOtlp(static options => (options.Tls.DangerousAcceptAnyServerCertificate, options.UseUtcTimestamp) = (true, false))).BuildServiceProvider();

        for (var round = 0; round < 2; round++)
        {
            using var scope = provider.CreateScope();
            var options = scope.ServiceProvider.GetRequiredService<IOptionsSnapshot<AsyncOtlpLoggerOptions>>().Value;
            Assert.Equal([new("api-key", "k")], options.Headers);
            Assert.Equal([new("site", "north")], options.ResourceAttributes);
            Assert.Equal(("s", true, false), (options.Tls.ServerName, options.Tls.DangerousAcceptAnyServerCertificate, options.UseUtcTimestamp));
            options.Headers.Clear();
            options.ResourceAttributes["site"] = "south";
            (options.Tls.ServerName, options.Tls.DangerousAcceptAnyServerCertificate, options.UseUtcTimestamp) = ("t", false, true);
        }
    }

    private static void AssertReadsSection<TOptions>(
        Action<ILoggingBuilder, IConfiguration> add, (string Key, string Value) own, string children, Func<TOptions, object> valuesOf, object expected)
        where TOptions : SinkOptions
    {
        var configuration = MemorySource.Build([("App:MyLogs:" + own.Key, own.Value), ("App:MyLogs:ShutdownTimeout", "2s"), ($"App:MyLogs:{children}:more:MaxQueueMemory", "4MB")]);
        using var provider = new ServiceCollection().AddLogging(builder => add(builder, configuration.GetSection("App:MyLogs"))).BuildServiceProvider();
        var options = provider.GetRequiredService<IOptionsMonitor<TOptions>>();
        Assert.Equal(expected, valuesOf(options.CurrentValue));
        Assert.Equal(expected, valuesOf(options.Get("more")));
        Assert.Equal((16L << 20, 4L << 20), (options.CurrentValue.MaxQueueMemory, options.Get("more").MaxQueueMemory));
        Assert.Throws<ArgumentNullException>("section", () => new ServiceCollection().AddLogging(builder => add(builder, null!)));
    }
}
