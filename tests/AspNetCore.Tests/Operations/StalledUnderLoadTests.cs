using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Globalization;
using System.Net.Http.Json;
using System.Text.Json;
using System.Text.RegularExpressions;
using AsyncLog.Tests.Metrics;
using AsyncLog.Tests.Support;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Playwright;

namespace AsyncLog.Tests.Operations;

[Trait("Category", "system")]
public sealed partial class StalledUnderLoadTests
{
    // Of no other test's sink: the EventSource is one for the process.
    private const string Sink = "moody/besieged";
    private long _offered;

    [Fact]
    public async Task After_a_stall_under_wrk_everything_that_tells_of_losses_tells_the_same()
    {
        await using var browser = await Browser.Start();
        var mood = new Mood();
        using var events = new LossListener(Sink);
        await using var app = await TestApp.Listen(
            logging => logging.AddMoody("besieged", mood, static options => options.MaxQueueLength = 10_000), Map, static services => services.AddHealthChecks().AddAsyncLog());
        await Wrk(app.Address, seconds: 2);
        mood.Hang();
        await Wrk(app.Address, seconds: ReleaseRun.Count(usual: 10, release: 20));
        mood.GoOn();
        // Requests that wrk did not wait for end too.
        await Eventually.Holds(() => app.Status(Sink).Offered == Interlocked.Read(ref _offered), () => $"{_offered} offered, not {app.Status(Sink).Offered}");
        await app.AtRest(Sink);

        var status = app.Status(Sink);
        var lost = _offered - status.Written;
        Assert.True(lost > 10_000, $"{_offered} offered, {status.Written} written");
        Assert.Equal((_offered, lost), (status.Offered, status.Dropped));
        await Eventually.Holds(() => events.Lost == lost && NoticedBy(mood) == lost, () => $"{lost} lost, {events.Lost} in the EventSource, noticed {string.Join('\n', mood.Notices)}");
        Assert.Equal(lost, MeasuredBy(app));
        using var client = new HttpClient { BaseAddress = app.Address };
        Assert.Equal(lost, OpenMetricsText.Parse(await client.GetStringAsync("/asynclog/metrics", TestContext.Current.CancellationToken)).Sum("asynclog_sink_dropped_total"));
        var health = await client.GetFromJsonAsync<JsonElement>("/health", TestContext.Current.CancellationToken);
        Assert.Equal(lost, health.GetProperty(Sink).GetProperty("dropped").GetProperty("queue_full").GetInt64());
        var view = await browser.Open(new Uri(app.Address, "/asynclog"), 1600, ColorScheme.Light);
        Assert.Equal(lost.ToString("N0", CultureInfo.InvariantCulture), await view.RowText(Sink, "[data-of=dropped]"));
        Assert.Equal(_offered.ToString("N0", CultureInfo.InvariantCulture), await view.Count(Sink, "Offered"));
    }

    private void Map(WebApplication app)
    {
        app.MapAsyncLog();
        app.MapGet("/order", (ILoggerFactory loggers) =>
        {
            var number = Interlocked.Increment(ref _offered);
            loggers.CreateLogger("Shop.Cart").LogInformation("Order {Number} was placed", number);
            return Results.Ok();
        });
        app.MapHealthChecks("/health", new() { ResponseWriter = static (context, report) => context.Response.WriteAsJsonAsync(report.Entries["asynclog"].Data) });
    }

    private static long NoticedBy(Mood mood) => mood.Notices.Sum(static notice => long.Parse(Lost().Match(notice).Groups[1].Value, CultureInfo.InvariantCulture));

    private static long MeasuredBy(TestApp app)
    {
        long sum = 0;
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Name == "asynclog.sink.dropped" && ReferenceEquals(instrument.Meter.Scope, app.Meters))
                    self.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<long>((_, value, _, _) => sum += value);
        listener.Start();
        listener.RecordObservableInstruments();
        return sum;
    }

    private static async Task Wrk(Uri address, int seconds)
    {
        Assert.SkipUnless(File.Exists("/usr/bin/wrk"), "needs wrk: apt-get install wrk");
        var start = new ProcessStartInfo("/usr/bin/wrk", ["-t", "1", "-c", "50", "-d", $"{seconds}s", new Uri(address, "/order").ToString()]) { RedirectStandardOutput = true };
        using var wrk = Process.Start(start)!;
        var output = await wrk.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await wrk.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.True(wrk.ExitCode == 0 && !output.Contains("Non-2xx", StringComparison.Ordinal), output);
    }

    [GeneratedRegex(@"(\d+) records dropped")]
    private static partial Regex Lost();
}
