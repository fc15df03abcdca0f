using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using AsyncLog.Tests.Differential;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>The sink as an application adds it, against the OpenTelemetry Collector.</summary>
[Trait("Category", "system")]
public sealed class CollectorTests
{
    private const int RecordsPerSecond = 20_000;
    // A record takes more than 66 bytes of a request of 128 KB.
    private const int RecordsPerRequest = 2000;
    private const string RequestStart = "{\"resourceLogs\"";

    [Theory]
    [InlineData("http", CompressionMethod.None)]
    [InlineData("http", CompressionMethod.Gzip)]
    [InlineData("grpc", CompressionMethod.None)]
    [InlineData("grpc", CompressionMethod.Gzip)]
    [InlineData("http_mtls", CompressionMethod.None)]
    [InlineData("grpc_mtls", CompressionMethod.None)]
    public async Task A_thousand_records_arrive_in_the_Collector_with_their_meaning(string port, CompressionMethod compression)
    {
        using RealReceiver collector = RealReceiver.Start("otelcol");
        await using ServiceProvider services = Services(collector, port, options => options.Compression = compression);
        ILogger logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop.Cart");
        for (int i = 0; i < 1000; i++)
            logger.LogWarning(new EventId(7, "ItemAdded"), "Item {Number} costs {Price}", i, i / 2.0);
        Assert.True(await services.GetRequiredService<IAsyncLogControl>().FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        Assert.Equal(1000, StatusOf(services).Written);

        Eventually.True(() => RecordsOf(collector).Count == 1000);
        List<JsonElement> records = RecordsOf(collector);
        for (int i = 0; i < 1000; i++)
            Check(records[i], i);
        DeliveredRecord[] delivered = [.. CollectorOutput.Read(collector)];
        Assert.Equal(1000, delivered.Length);
        Assert.All(delivered, static record => Assert.Equal(("shop", "Shop.Cart"), (record.Service, record.Scope)));
    }

    [Theory]
    [InlineData("http_mtls")]
    [InlineData("grpc_mtls")]
    public async Task A_missing_client_certificate_is_named_by_the_last_of_many_attempts(string port)
    {
        using RealReceiver collector = RealReceiver.Start("otelcol");
        await using ServiceProvider services = Services(collector, port, static options =>
        {
            (options.Tls.ClientCertificateFile, options.Tls.ClientKeyFile) = (null, null);
            (options.RetryDelay, options.MaxRetryDelay, options.ShutdownTimeout) = (TimeSpan.FromMilliseconds(10), TimeSpan.FromMilliseconds(20), TimeSpan.Zero);
        });
        services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop.Cart").LogWarning("item added");
        Eventually.True(() => StatusOf(services).Retries > 20);
        SinkStatus status = StatusOf(services);
        Assert.Equal(["tls"], status.Errors.Select(static error => error.Key));
        Assert.EndsWith("(the server requires a client certificate: set Tls:ClientCertificateFile)", status.LastError!.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_Collector_that_is_killed_and_restarted_under_load_leaves_exact_counters()
    {
        using RealReceiver collector = RealReceiver.Start("otelcol");
        await using ServiceProvider services = Services(collector, "http", static options => (options.RetryDelay, options.MaxRequestSize) = (TimeSpan.FromMilliseconds(200), 128 << 10));
        using var stop = new CancellationTokenSource();
        var load = new LoadThread(services.GetRequiredService<ILoggerFactory>().CreateLogger("Load"), RecordsPerSecond, stop.Token);
        var clock = Stopwatch.StartNew();
        int outages = 0;
        do
        {
            Eventually.True(Grows(services));
            collector.Kill();
            outages++;
            Eventually.True(() => StatusOf(services).State != SinkState.Healthy);
            collector.Restart();
        }
        while (clock.Elapsed < OutageTime);
        Eventually.True(Grows(services));
        await stop.CancelAsync();
        long logged = load.Join();
        Assert.True(await services.GetRequiredService<IAsyncLogControl>().FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));

        SinkStatus status = Counters.AssertAddUp(StatusOf(services), logged);
        Assert.Equal((0, 0), (status.QueueSize, status.InFlight));
        // An outage that is short enough costs nothing.
        Assert.DoesNotContain(status.Drops, static drop => drop.Reason is not (DropReason.QueueFull or DropReason.QueueMemory));
        Eventually.True(() => File.ReadLines(collector.Output).Sum(static line => (long)line.AsSpan().Count("\"observedTimeUnixNano\"")) >= status.Written);
        AssertDelivered(collector, status, outages);
    }

    // Usually once; in a release run again and again for five minutes.
    private static TimeSpan OutageTime => TimeSpan.FromSeconds(ReleaseRun.Count(usual: 0, release: 300));

    // What is due in a second has arrived since now.
    private static Func<bool> Grows(ServiceProvider services)
    {
        long before = StatusOf(services).Written;
        return () => StatusOf(services).Written > before + RecordsPerSecond;
    }

    // Duplicates are those requests whose answer was lost: at most one for each time the Collector ended.
    private static void AssertDelivered(RealReceiver collector, SinkStatus status, int outages)
    {
        List<int> numbers = NumbersOf(collector);
        Assert.Equal(status.Written, numbers.Distinct().Count());
        Assert.InRange(numbers.Count - status.Written, 0, outages * RecordsPerRequest);
    }

    private static ServiceProvider Services(RealReceiver collector, string port, Action<AsyncOtlpLoggerOptions> configure)
    {
        var services = new ServiceCollection();
        services.AddLogging(builder => builder.AddAsyncOtlp(options =>
        {
            bool isSecure = port.EndsWith("tls", StringComparison.Ordinal);
            options.Protocol = port.StartsWith("grpc", StringComparison.Ordinal) ? OtlpProtocol.Grpc : OtlpProtocol.HttpProtobuf;
            options.Endpoint = new Uri(FormattableString.Invariant($"{(isSecure ? "https" : "http")}://localhost:{collector.Port(port)}"));
            options.ServiceName = "shop";
            options.GapNotices = false;
            if (isSecure)
            {
                options.Tls.CaFile = Path.Combine(collector.Certificates, "ca.pem");
                options.Tls.ClientCertificateFile = Path.Combine(collector.Certificates, "client.pem");
                options.Tls.ClientKeyFile = Path.Combine(collector.Certificates, "client.key");
            }

            configure(options);
        }));
        services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel, options.FlushOnCrash) = (false, LogLevel.None, false));
        return services.BuildServiceProvider();
    }

    private static SinkStatus StatusOf(ServiceProvider services) => services.GetRequiredService<IAsyncLogControl>().GetStatus().Instances[0];

    private static void Check(JsonElement record, int number)
    {
        Assert.Equal(string.Create(CultureInfo.InvariantCulture, $"Item {number} costs {number / 2.0}"), record.GetProperty("body").GetProperty("stringValue").GetString());
        Assert.Equal(13, record.GetProperty("severityNumber").GetInt32());
        Assert.Equal("Warning", record.GetProperty("severityText").GetString());
        Assert.Equal("ItemAdded", record.GetProperty("eventName").GetString());
        var attributes = record.GetProperty("attributes").EnumerateArray().ToDictionary(static pair => pair.GetProperty("key").GetString()!, static pair => pair.GetProperty("value"), StringComparer.Ordinal);
        Assert.Equal(4, attributes.Count);
        Assert.Equal(number.ToString(CultureInfo.InvariantCulture), attributes["Number"].GetProperty("intValue").GetString());
        Assert.Equal(number / 2.0, attributes["Price"].GetProperty("doubleValue").GetDouble());
        Assert.Equal("Item {Number} costs {Price}", attributes["{OriginalFormat}"].GetProperty("stringValue").GetString());
        Assert.Equal("7", attributes["logrecord.event.id"].GetProperty("intValue").GetString());
    }

    private static List<JsonElement> RecordsOf(RealReceiver collector) => [.. LinesOf(collector)
        .SelectMany(static request => request.GetProperty("resourceLogs").EnumerateArray())
        .SelectMany(static resource => resource.GetProperty("scopeLogs").EnumerateArray())
        .SelectMany(static scope => scope.GetProperty("logRecords").EnumerateArray())];

    private static List<int> NumbersOf(RealReceiver collector) => [.. RecordsOf(collector)
        .Select(static record => int.Parse(record.GetProperty("body").GetProperty("stringValue").GetString()!, CultureInfo.InvariantCulture))];

    // The last line may not be whole yet, and a killed Collector leaves half of one, which the next one goes on with.
    private static IEnumerable<JsonElement> LinesOf(RealReceiver collector)
    {
        foreach (string line in File.ReadLines(collector.Output))
        {
            JsonElement request;
            try
            {
                request = JsonDocument.Parse(line.AsMemory(line.LastIndexOf(RequestStart, StringComparison.Ordinal))).RootElement;
            }
            catch (Exception exception) when (exception is JsonException or ArgumentOutOfRangeException)
            {
                continue;
            }

            yield return request;
        }
    }
}
