using System.Reflection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using OpenTelemetry.Resources;

namespace AsyncLog.Tests.Configuration;

public sealed class OptionsTests
{
    private const string Section = "Logging:AsyncOtlp:";
    private const string ExpectedEndpoint = "expected http://host[:port][/path] or https://host[:port][/path]";

    [Fact]
    public void Every_layer_wins_over_those_before_it()
    {
        using var provider = OtlpProvider.Start(
            [
                ("OTEL_EXPORTER_OTLP_TIMEOUT", "1000"), ("OTEL_ATTRIBUTE_COUNT_LIMIT", "11"),
                ("OTEL_BLRP_MAX_QUEUE_SIZE", "1111"), ("OTEL_BLRP_SCHEDULE_DELAY", "1100"),
                (Section + "AttributeCountLimit", "22"), (Section + "MaxQueueLength", "2222"), (Section + "ScheduledDelay", "2s"),
                (Section + "Collectors:a:ScheduledDelay", "4s"),
            ],
            configure: static options => (options.MaxQueueLength, options.ScheduledDelay) = (3333, TimeSpan.FromSeconds(3)));

        Assert.Equal((TimeSpan.FromSeconds(1), 22, 3333, TimeSpan.FromSeconds(4)), LimitsOf(provider.Options["otlp/a"]));
        Assert.Equal((TimeSpan.FromSeconds(1), 22, 3333, TimeSpan.FromSeconds(3)), LimitsOf(provider.Options["otlp/default"]));

        static (TimeSpan, int?, int, TimeSpan) LimitsOf(AsyncOtlpLoggerOptions options)
            => (options.Timeout, options.AttributeCountLimit, options.MaxQueueLength, options.ScheduledDelay);
    }

    [Fact]
    public void Maps_merge_key_by_key_along_the_layers()
    {
        using var provider = OtlpProvider.Start(
        [
            ("OTEL_EXPORTER_OTLP_HEADERS", "a=1,b=1"), ("OTEL_RESOURCE_ATTRIBUTES", "x=1,y=1"),
            (Section + "Headers:b", "2"), (Section + "Headers:c", "2"), (Section + "ResourceAttributes:y", "2"),
            (Section + "Collectors:one:Headers:C", "3"), (Section + "Collectors:one:ResourceAttributes:z", "3"),
        ]);

        var options = provider.Options["otlp/one"];
        Assert.Equal([("a", "1"), ("b", "2"), ("c", "3")], options.Headers.Select(static pair => (pair.Key, pair.Value)).OrderBy(static pair => pair.Key));
        Assert.Equal([("x", "1"), ("y", "2"), ("z", "3")], options.ResourceAttributes.Select(static pair => (pair.Key, pair.Value)).OrderBy(static pair => pair.Key));
    }

    [Fact]
    public void The_variable_that_disables_the_SDK_switches_every_instance_off_whatever_the_section_says()
    {
        using var provider = OtlpProvider.Start([("OTEL_SDK_DISABLED", "TRUE"), (Section + "Enabled", "true"), (Section + "Collectors:one:Timeout", "5s")]);

        Assert.Empty(provider.Options);
    }

    [Theory]
    [InlineData("none")]
    [InlineData("console")]
    [InlineData("otlp,console")]
    public void The_variable_that_chooses_exporters_is_ignored(string exporters)
    {
        using var provider = OtlpProvider.Start([("OTEL_LOGS_EXPORTER", exporters), ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:4318")]);

        var (name, options) = Assert.Single(provider.Options);
        Assert.Equal(("otlp/default", "http://a:4318/v1/logs"), (name, options.Endpoint!.AbsoluteUri));
        Assert.Empty(options.Variables.Notices);
    }

    [Fact]
    public void The_version_of_the_service_is_that_of_the_entry_assembly_without_its_commit()
    {
        using var provider = OtlpProvider.Start([]);

        // The program of these tests is the entry assembly.
        var version = typeof(OptionsTests).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;
        Assert.Matches(@"^\d+\.\d+\.\d+", version);
        var told = (string)OtlpResource.AttributesOf(Assert.Single(provider.Options).Value).ToDictionary()["service.version"];
        Assert.DoesNotContain('+', told);
        Assert.True(version == told || version.StartsWith(told + "+", StringComparison.Ordinal), $"{told} for {version}");
    }

    [Fact]
    public void What_code_adds_to_the_resource_comes_last_and_wins()
    {
        using var provider = OtlpProvider.Start(
            [("OTEL_SERVICE_NAME", "variable"), (Section + "ServiceName", "section")],
            configure: static options => options.ConfigureResource(static builder => builder.AddAttributes([new("service.name", "code"), new("n", 3)])));

        var attributes = OtlpResource.AttributesOf(Assert.Single(provider.Options).Value).ToDictionary();

        Assert.Equal("code", attributes["service.name"]);
        Assert.Equal(3L, attributes["n"]);
        Assert.Equal((long)Environment.ProcessId, attributes["process.pid"]);
    }

    [Fact]
    public void A_service_that_nobody_named_is_named_after_its_process()
    {
        using var provider = OtlpProvider.Start([]);

        string program = Path.GetFileName(Environment.ProcessPath)!;
        program = program.EndsWith(".exe", StringComparison.OrdinalIgnoreCase) ? program[..^4] : program;
        Assert.Equal("unknown_service:" + program, Assert.Single(provider.Options).Value.ServiceName);
    }

    [Theory]
    [InlineData("Endpoint", "unix:///x", ExpectedEndpoint)]
    [InlineData("Endpoint", "localhost:4317", ExpectedEndpoint + "; did you mean http://localhost:4317 with Protocol Grpc?")]
    [InlineData("Endpoint", "c:4318", ExpectedEndpoint + ", with a port from 1 to 65535; did you mean http://c:4318?")]
    [InlineData("Endpoint", "10.0.0.1", ExpectedEndpoint + ", with a port from 1 to 65535; did you mean http://10.0.0.1:4318?")]
    [InlineData("Endpoint", "collector.example:4318/v1/logs", ExpectedEndpoint + "; did you mean http://collector.example:4318/v1/logs?")]
    [InlineData("Endpoint", "http://c:99999", ExpectedEndpoint + ", with a port from 1 to 65535")]
    [InlineData("Protocol", "http/json", "expected HttpProtobuf or Grpc")]
    [InlineData("Timeout", "50d", "must be from 0s to 1d")]
    [InlineData("ScheduledDelay", "61s", "must be from 0s to 1m")]
    [InlineData("MaxRequestSize", "65MB", "must be from 64KB to 64MB")]
    [InlineData("MaxRequestSize", "100KB", "must be at least 2 x MaxRecordSize")]
    [InlineData("RetryDelay", "31s", "must be more than 0 and at most 30s")]
    [InlineData("AttributeCountLimit", "-1", "must be at least 0; null or an empty value means no limit")]
    [InlineData("Tls:CaFile", "ca.pem", "only with https://")]
    public void What_is_wrong_is_named_with_key_value_and_rule(string key, string value, string rule)
    {
        var exception = Assert.ThrowsAny<OptionsValidationException>(() => OtlpProvider.Start([(Section + key, value)]).Dispose());

        Assert.Equal([$"{Section}{key} '{value}' is not valid: {rule}"], exception.Failures);
    }

    [Fact]
    public void The_first_retry_delay_may_be_the_longest_one()
        => Assert.Null(Record.Exception(static () => OtlpProvider.Start([(Section + "RetryDelay", "30s")]).Dispose()));

    [Theory]
    [InlineData("k y", "s3cr3t")]
    [InlineData("key", "s3cr\u00e93t")]
    public void The_value_of_a_header_that_is_wrong_is_not_printed(string name, string value)
    {
        var exception = Assert.ThrowsAny<OptionsValidationException>(() => OtlpProvider.Start([(Section + "Headers:" + name, value)]).Dispose());

        Assert.Contains("Headers:" + name, exception.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("s3cr", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Format")]
    [InlineData("UseUtcTimestamp")]
    [InlineData("Template")]
    public void A_key_that_makes_no_sense_here_is_unknown(string key)
    {
        var exception = Assert.ThrowsAny<OptionsValidationException>(
            () => OtlpProvider.Start([(Section + key, "true"), ("AsyncLog:Strict", "true")]).Dispose());

        Assert.Contains($"{Section}{key} is not a known option", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_time_out_of_more_than_a_day_in_a_variable_is_ignored_with_a_warning()
    {
        using var provider = OtlpProvider.Start([("OTEL_EXPORTER_OTLP_TIMEOUT", "86400001")]);

        var options = Assert.Single(provider.Options).Value;
        Assert.Equal(TimeSpan.FromSeconds(10), options.Timeout);
        var (severity, _, message) = Assert.Single(options.Variables.Notices);
        Assert.Equal(
            (LogLevel.Warning, "OTEL_EXPORTER_OTLP_TIMEOUT '86400001' is ignored: expected a whole number from 0 to 86400000."), (severity, message));
    }

    [Fact]
    public void Credentials_of_an_endpoint_are_neither_kept_nor_printed()
    {
        var heard = StandardError.Hear();
        using var provider = OtlpProvider.Start([(Section + "Endpoint", "http://u:s3cr3t@c:4318"), ("AsyncLog:SelfReportLevel", "Debug")]);

        var options = Assert.Single(provider.Options).Value;
        Assert.Equal("http://c:4318/v1/logs", options.Endpoint!.AbsoluteUri);
        var lines = StandardError.Copy(heard);
        Assert.Single(
            lines, static line => line.EndsWith(" otlp/default: user and password of the endpoint are not sent: use Headers.", StringComparison.Ordinal));
        Assert.DoesNotContain(lines, static line => line.Contains("s3cr3t", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("grpc", "http://c:4318", "Protocol is Grpc, but port 4318 is by custom that of OTLP over HTTP: is 4317 meant, or Protocol HttpProtobuf?")]
    [InlineData("http/protobuf", "http://c:4317", "Protocol is HttpProtobuf, but port 4317 is by custom that of gRPC: is 4318 meant, or Protocol Grpc?")]
    [InlineData("grpc", "http://c:4317/path", "the path /path of the endpoint is ignored: gRPC has its own.")]
    [InlineData("http/protobuf", "ftp://c", "OTEL_EXPORTER_OTLP_ENDPOINT is ignored: " + ExpectedEndpoint + ".")]
    [InlineData("http/protobuf", "c:4318", "OTEL_EXPORTER_OTLP_ENDPOINT is ignored: " + ExpectedEndpoint + "; did you mean http://c:4318?")]
    public void A_doubtful_endpoint_is_told_of_once(string protocol, string endpoint, string message)
    {
        using var provider = OtlpProvider.Start([("OTEL_EXPORTER_OTLP_PROTOCOL", protocol), ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)]);

        var notice = Assert.Single(Assert.Single(provider.Options).Value.Variables.Notices);
        Assert.Equal((LogLevel.Warning, message), (notice.Severity, notice.Message));
    }

    [Fact]
    public void Variables_of_batches_that_have_no_use_are_reported()
    {
        using var provider = OtlpProvider.Start([("OTEL_BLRP_MAX_EXPORT_BATCH_SIZE", "1000"), ("OTEL_BLRP_MAX_QUEUE_SIZE", "100"), ("OTEL_BLRP_EXPORT_TIMEOUT", "1")]);

        var options = Assert.Single(provider.Options).Value;
        Assert.Equal(100, options.MaxQueueLength);
        Assert.Equal(
            [
                "OTEL_BLRP_MAX_EXPORT_BATCH_SIZE is not used: MaxRequestSize limits a request.",
                "OTEL_BLRP_EXPORT_TIMEOUT is not used: Timeout limits one request, MaxRetryTime all attempts.",
            ],
            options.Variables.Notices.Select(static notice => notice.Message));
    }

    [Theory]
    [InlineData("http://192.0.2.51:4318", "Authorization", true)]
    [InlineData("http://192.0.2.52:4318", "x-api-key", true)]
    [InlineData("http://192.0.2.53:4318", "X-Scope-OrgID", false)]
    [InlineData("https://192.0.2.54:4318", "Authorization", false)]
    [InlineData("http://127.0.0.55:4318", "Authorization", false)]
    public void A_header_with_credentials_that_leaves_the_host_unencrypted_is_told_of_once(string endpoint, string header, bool isTold)
    {
        using var provider = OtlpProvider.Start([(Section + "Endpoint", endpoint), (Section + "Headers:" + header, "s3cr3t-c5"), (Section + "Headers:Other", "x")]);

        var lines = StandardError.LinesWith($"the header {header} is sent to {new Uri(endpoint).Host} without encryption");
        Assert.Equal(isTold ? 1 : 0, lines.Length);
        Assert.Empty(StandardError.LinesWith("s3cr3t-c5"));
    }

    [Fact]
    public void That_the_SDK_is_disabled_is_told_once_at_information_level()
    {
        const string Told = "AsyncLog: info otlp: switched off: OTEL_SDK_DISABLED is true.";
        StandardError.Keep();
        var before = StandardError.LinesWith(Told).Length;

        using var provider = OtlpProvider.Start(
            [("OTEL_SDK_DISABLED", "true"), ("AsyncLog:SelfReportLevel", "Information"), (Section + "Collectors:one:Timeout", "5s"), (Section + "Collectors:two:Timeout", "5s")]);

        Assert.Equal(before + 1, StandardError.LinesWith(Told).Length);
    }
}
