using AsyncLog.Tests;
using Microsoft.Extensions.Logging;
using static AsyncLog.PlatformProbe.Application;

namespace AsyncLog.PlatformProbe;

/// <summary>OTLP over HTTP.</summary>
internal static class OtlpChecks
{
    private const string Area = "otlp";

    public static readonly Check[] All =
    [
        new(Area, "a collector gets every record in order", Requests),
        new(Area, "a request has path, content type, headers and the name of the service", Head),
        new(Area, "requests are compressed", Gzip),
        new(Area, "text of any script and the exception arrive", Text),
        new(Area, "a collector that is busy gets the records later", Busy),
        new(Area, "records wait for a collector that is not there yet", CollectorLater),
        new(Area, "records that a collector refuses are counted", Refused),
        new(Area, "large batches are split", Split),
    ];

    private static async Task Requests(Ground ground)
    {
        using var collector = new HttpReceiver();
        await using var app = To(collector.Endpoint);
        app.Log(0, 5_000);
        await app.Flush();
        Expect.Lines(Messages(0, 5_000), collector.Messages);
    }

    private static async Task Head(Ground ground)
    {
        using var collector = new HttpReceiver();
        await using var app = To(collector.Endpoint, ("Headers:X-Tenant", "shop"), ("ServiceName", "probe-service"));
        app.Log(0, 1);
        await app.Flush();
        var request = collector.Requests.Single();
        Expect.True(request.Head.StartsWith("POST /v1/logs HTTP/1.1", StringComparison.Ordinal), () => request.Head);
        Expect.Contains("application/x-protobuf", request.Head);
        Expect.Contains("X-Tenant: shop", request.Head);
        Expect.Contains("probe-service", request.Text);
    }

    private static async Task Gzip(Ground ground)
    {
        using var collector = new HttpReceiver();
        await using var app = To(collector.Endpoint, ("Compression", "Gzip"));
        app.Log(0, 1_000);
        await app.Flush();
        Expect.Lines(Messages(0, 1_000), collector.Messages);
        Expect.True(collector.Requests.All(static request => request.Body.Length < request.Text.Length));
    }

    private static async Task Text(Ground ground)
    {
        using var collector = new HttpReceiver();
        await using var app = To(collector.Endpoint);
        app.Logger.LogError(new InvalidOperationException("made by the probe"), "Grüße, 你好, 😀");
        await app.Flush();
        Expect.Contains("Grüße, 你好, 😀", collector.Requests.Single().Text);
        Expect.Contains("made by the probe", collector.Requests.Single().Text);
    }

    private static async Task Busy(Ground ground)
    {
        using var collector = new HttpReceiver(static number => number < 3 ? 503 : 200);
        await using var app = To(collector.Endpoint);
        app.Log(0, 100);
        await app.Flush();
        Expect.Lines(Messages(0, 100), collector.Messages);
        Expect.True(app.Status.Retries >= 3);
    }

    private static async Task CollectorLater(Ground ground)
    {
        var port = StreamReceiver.ClosedPort;
        await using var app = To($"http://127.0.0.1:{port}");
        app.Log(0, 100);
        await Eventually.Holds(() => app.Status.LastErrorType is not null);
        Expect.Equal("refused", app.Status.LastErrorType);
        using var collector = new HttpReceiver(port: port);
        await app.Flush();
        Expect.Lines(Messages(0, 100), collector.Messages);
    }

    private static async Task Refused(Ground ground)
    {
        using var collector = new HttpReceiver(static _ => 400);
        await using var app = To(collector.Endpoint);
        app.Log(0, 100);
        await Eventually.Holds(() => app.Status.Dropped == 100, () => $"{app.Status.Dropped} dropped");
        Expect.True(app.Status.Drops.All(static drop => drop.Reason is DropReason.Rejected or DropReason.SinkPermanent), () => string.Join(", ", app.Status.Drops));
    }

    private static async Task Split(Ground ground)
    {
        using var collector = new HttpReceiver();
        await using var app = To(collector.Endpoint, ("MaxRequestSize", "128KB"), ("ScheduledDelay", "1s"));
        app.Log(0, 5_000);
        await app.Flush();
        Expect.Lines(Messages(0, 5_000), collector.Messages);
        Expect.True(collector.Requests.Count > 1);
        Expect.True(collector.Requests.All(static request => request.Body.Length <= 128 << 10));
    }

    private static Application To(string endpoint, params ReadOnlySpan<(string Key, string Value)> options) => Start(
        "AsyncOtlp",
        [("Endpoint", endpoint), ("ScheduledDelay", "50ms"), ("RetryDelay", "50ms"), ("ShutdownTimeout", "2s"), ("IncludeTemplate", "false"), .. options]);
}
