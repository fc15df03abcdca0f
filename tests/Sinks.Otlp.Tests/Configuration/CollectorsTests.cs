using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Configuration;

/// <summary>Which collectors exist, and whose credentials each of them gets.</summary>
public sealed class CollectorsTests
{
    private const string Section = "Logging:AsyncOtlp:";

    [Fact]
    public void A_named_collector_is_in_addition_to_the_one_of_the_variables()
    {
        using var provider = OtlpProvider.Start([("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:4318"), (Section + "Collectors:backup:Endpoint", "http://b:4318")]);

        Assert.Equal(["otlp/backup http://b:4318/v1/logs", "otlp/default http://a:4318/v1/logs"], Endpoints(provider));
    }

    [Fact]
    public void Main_false_leaves_only_the_named_collectors()
    {
        using var provider = OtlpProvider.Start(
            [("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:4318"), (Section + "Main", "false"), (Section + "Collectors:backup:Endpoint", "http://b:4318")]);

        Assert.Equal(["otlp/backup http://b:4318/v1/logs"], Endpoints(provider));
    }

    [Fact]
    public void A_collector_named_in_code_is_in_addition_to_the_one_of_the_section()
    {
        var services = new ServiceCollection().Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        services.AddLogging(static logging => logging
            .AddAsyncOtlp(static options => options.ShutdownTimeout = TimeSpan.Zero)
            .AddAsyncOtlp("backup", static options => options.Endpoint = new Uri("http://b:4318")));
        using var provider = services.BuildServiceProvider();
        provider.GetRequiredService<ILoggerFactory>();

        Assert.Equal(
            ["otlp/backup", "otlp/default"], provider.GetRequiredService<IAsyncLogControl>().GetStatus().Instances.Select(static instance => instance.Name).Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("https://a:4318", true)]
    [InlineData("https://A:4318/elsewhere", true)]
    [InlineData(null, true)]
    [InlineData("https://b:4318", false)]
    [InlineData("https://a:4319", false)]
    [InlineData("http://a:4318", false)]
    [InlineData("https://a", false)]
    public void A_named_collector_inherits_credentials_only_at_the_server_of_the_section(string? endpoint, bool inherits)
    {
        using var provider = OtlpProvider.Start(
        [
            (Section + "Endpoint", "https://a:4318"), (Section + "Headers:api-key", "s3cr3t"), (Section + "Tls:CaFile", "/ca.pem"),
            (Section + "Tls:ClientCertificateFile", "/c.pem"), (Section + "Tls:ClientKeyFile", "/k.pem"), (Section + "Tls:ClientKeyPassword", "p4ss"),
            (Section + "Collectors:other:Headers:tenant", "7"), .. endpoint is null ? [] : new (string, string?)[] { (Section + "Collectors:other:Endpoint", endpoint) },
        ]);

        Assert.Equal("api-key=s3cr3t; /c.pem; /k.pem; p4ss", Credentials(provider.Options["otlp/default"]));
        var other = provider.Options["otlp/other"];
        Assert.Equal(inherits ? "api-key=s3cr3t, tenant=7; /c.pem; /k.pem; p4ss" : "tenant=7; ; ; ", Credentials(other));
        Assert.Equal(endpoint is null || endpoint.StartsWith("https", StringComparison.Ordinal) ? "/ca.pem" : null, other.Tls.CaFile);
    }

    [Fact]
    public void A_collector_that_code_moves_to_another_server_does_not_inherit_credentials()
    {
        var services = new ServiceCollection().Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        var headers = new List<string>();
        services.AddLogging(logging => logging
            .AddAsyncOtlp(static options =>
            {
                options.ShutdownTimeout = TimeSpan.Zero;
                options.Endpoint = new Uri("https://a");
                options.Headers["api-key"] = "s3cr3t";
            })
            .AddAsyncOtlp("backup", static options => (options.Endpoint, options.Headers["own"]) = (new Uri("https://b"), "1")));
        services.PostConfigure<AsyncOtlpLoggerOptions>("backup", options => headers.AddRange(options.Headers.Keys));
        using var provider = services.BuildServiceProvider();
        provider.GetRequiredService<ILoggerFactory>();

        var monitor = provider.GetRequiredService<Microsoft.Extensions.Options.IOptionsMonitor<AsyncOtlpLoggerOptions>>();
        Assert.Equal(["api-key"], monitor.CurrentValue.Headers.Keys);
        Assert.Equal("own", headers[^1]);
        Assert.Equal(["own"], monitor.Get("backup").Headers.Keys);
    }

    [Theory]
    [InlineData("https://b", "https://a", "", "a=1")]
    [InlineData("https://a", "https://b", "a=1", "")]
    [InlineData("https://b", "https://b", "", "")]
    [InlineData("https://a/x", "https://a:443", "a=1", "a=1")]
    [InlineData(null, "https://b", "a=1", "")]
    public void The_credentials_of_the_variables_go_to_their_endpoint_only(string? section, string collector, string expectedOfSection, string expectedOfCollector)
    {
        using var provider = OtlpProvider.Start(
        [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://a"), ("OTEL_EXPORTER_OTLP_HEADERS", "a=1"), (Section + "Collectors:one:Endpoint", collector),
            .. section is null ? [] : new (string, string?)[] { (Section + "Endpoint", section) },
        ]);

        Assert.Equal($"{expectedOfSection}; ; ; ", Credentials(provider.Options["otlp/default"]));
        Assert.Equal($"{expectedOfCollector}; ; ; ", Credentials(provider.Options["otlp/one"]));
    }

    [Fact]
    public void Headers_of_a_variable_without_an_endpoint_belong_to_the_endpoint_of_the_section()
    {
        using var provider = OtlpProvider.Start(
            [("OTEL_EXPORTER_OTLP_HEADERS", "a=1"), (Section + "Endpoint", "https://a"), (Section + "Collectors:same:Timeout", "5s"), (Section + "Collectors:other:Endpoint", "https://b")]);

        Assert.Equal("a=1; ; ; ", Credentials(provider.Options["otlp/default"]));
        Assert.Equal("a=1; ; ; ", Credentials(provider.Options["otlp/same"]));
        Assert.Equal("; ; ; ", Credentials(provider.Options["otlp/other"]));
    }

    [Fact]
    public void That_the_section_does_not_use_the_credentials_of_the_variables_is_a_warning_that_names_them()
    {
        StandardError.Keep();
        using var provider = OtlpProvider.Start(
        [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://variables-a"), ("OTEL_EXPORTER_OTLP_LOGS_HEADERS", "a=s3cr3t-w7"), ("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", "/c.pem"),
            (Section + "Endpoint", "https://section-b"),
        ]);

        Assert.EndsWith(
            " AsyncLog: warn otlp/default: OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and OTEL_EXPORTER_OTLP_LOGS_HEADERS are for https://variables-a:443, "
            + "the endpoint of the variables, and not used for another one: "
            + "set Headers and Tls beside Endpoint.",
            Assert.Single(StandardError.LinesWith("https://variables-a")),
            StringComparison.Ordinal);
        Assert.Empty(StandardError.LinesWith("s3cr3t-w7"));
    }

    [Theory]
    [InlineData("OTEL_EXPORTER_OTLP_CLIENT_KEY", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", "https://key-alone-1")]
    [InlineData("OTEL_EXPORTER_OTLP_LOGS_CLIENT_KEY", "OTEL_EXPORTER_OTLP_LOGS_CLIENT_CERTIFICATE", "https://key-alone-2")]
    [InlineData("OTEL_EXPORTER_OTLP_CLIENT_KEY", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", "http://key-alone-3")]
    public void A_variable_with_a_key_alone_is_ignored_with_a_warning_that_names_it(string variable, string missing, string endpoint)
    {
        StandardError.Keep();
        var before = StandardError.LinesWith($"{variable} is ignored").Length;
        using var provider = OtlpProvider.Start([(variable, "/k.pem"), ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)]);

        Assert.Null(Assert.Single(provider.Options).Value.Tls.ClientKeyFile);
        var lines = StandardError.LinesWith($"{variable} is ignored");
        Assert.Equal(before + 1, lines.Length);
        Assert.EndsWith(
            $" AsyncLog: warn otlp/default: {variable} is ignored: it needs {missing}, the certificate of the key.", lines[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void No_variable_stops_the_start_alone_or_beside_an_endpoint()
    {
        string[] names =
        [
            .. new[] { "ENDPOINT", "INSECURE", "PROTOCOL", "COMPRESSION", "TIMEOUT", "CERTIFICATE", "CLIENT_KEY", "CLIENT_CERTIFICATE", "HEADERS" }
                .SelectMany(static name => new[] { "OTEL_EXPORTER_OTLP_" + name, "OTEL_EXPORTER_OTLP_LOGS_" + name }),
            "OTEL_BLRP_MAX_EXPORT_BATCH_SIZE", "OTEL_BLRP_SCHEDULE_DELAY", "OTEL_BLRP_MAX_QUEUE_SIZE", "OTEL_BLRP_EXPORT_TIMEOUT", "OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES",
            "OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT", "OTEL_ATTRIBUTE_COUNT_LIMIT", "OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_SDK_DISABLED",
        ];
        foreach (var name in names)
        {
            foreach (var value in (string[])[" ", "0", "-1", "99999999", "true", "a=b", "://"])
            {
                Start((name, value));
                Start((name, value), (name.EndsWith("_ENDPOINT", StringComparison.Ordinal) ? "OTEL_SERVICE_NAME" : "OTEL_EXPORTER_OTLP_ENDPOINT", "https://c"));
            }
        }

        static void Start(params (string Key, string? Value)[] values) => OtlpProvider.Start([.. values, ("AsyncLog:SelfReportLevel", "None")]).Dispose();
    }

    private static IEnumerable<string> Endpoints(StartedProvider<AsyncOtlpLoggerProvider, AsyncOtlpLoggerOptions> provider) =>
        provider.Options.Select(static pair => $"{pair.Key} {pair.Value.Endpoint!.AbsoluteUri}").Order(StringComparer.Ordinal);

    private static string Credentials(AsyncOtlpLoggerOptions options)
    {
        var headers = string.Join(", ", options.Headers.Select(static pair => $"{pair.Key}={pair.Value}").Order(StringComparer.Ordinal));
        return $"{headers}; {options.Tls.ClientCertificateFile}; {options.Tls.ClientKeyFile}; {options.Tls.ClientKeyPassword}";
    }
}
