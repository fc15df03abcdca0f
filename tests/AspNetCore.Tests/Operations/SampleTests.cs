using System.Globalization;
using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text.Json;
using AsyncLog.Tests.Metrics;
using AsyncLog.Tests.Support;
using Microsoft.Playwright;

namespace AsyncLog.Tests.Operations;

[Trait("Category", "system")]
public sealed class SampleTests
{
    private const string Sink = "warehouse/default";

    [Fact]
    public async Task A_visitor_fills_the_queue_and_all_that_shows_losses_shows_the_same()
    {
        using var sample = await SampleProcess.Start("Development");
        using var pressed = await sample.Client.PostAsync("/demo/full", null, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.OK, pressed.StatusCode);
        Assert.Contains("the live page", await pressed.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);

        var lost = await Lost(sample);
        var health = await sample.Client.GetFromJsonAsync<JsonElement>("/health", TestContext.Current.CancellationToken);
        var check = health.GetProperty("checks").GetProperty("asynclog");
        Assert.Equal("Degraded", check.GetProperty("status").GetString());
        Assert.Equal(lost, Count(check.GetProperty("data").GetProperty(Sink).GetProperty("dropped"), "queue_full"));
        var metrics = OpenMetricsText.Parse(await sample.Client.GetStringAsync("/asynclog/metrics", TestContext.Current.CancellationToken));
        Assert.Equal(lost, metrics.Sum("asynclog_sink_dropped_total", ("asynclog_sink_name", Sink), ("error_type", "queue_full")));

        // The stall ends by itself: what was accepted is delivered, nothing more is lost.
        await Eventually.Holds(async () => Count(await Status(sample), "written") == 5_000 - lost, () => "not everything was delivered after the stall", TimeSpan.FromMinutes(2));
        Assert.Equal(lost, Count(await Status(sample), "dropped"));
    }

    [Fact]
    public async Task On_a_port_that_another_process_has_it_prints_one_line_with_the_cure()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        var url = $"http://localhost:{((IPEndPoint)other.LocalEndpoint).Port}";
        Assert.Equal(
            (1, $"another process listens on {url}. Choose another port: dotnet run --project samples/WebApp -- --urls http://localhost:5080{Environment.NewLine}"),
            await SampleProcess.Run(url));
    }

    [Fact]
    public async Task A_burst_loses_what_the_slow_warehouse_cannot_take()
    {
        using var sample = await SampleProcess.Start("Development");
        using var pressed = await sample.Client.PostAsync("/demo/burst", null, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.OK, pressed.StatusCode);
        var status = await Status(sample);
        Assert.Equal(50_000, Count(status, "offered"));
        Assert.InRange(Count(status, "dropped"), 10_000, 49_999);
    }

    [Fact]
    public async Task A_browser_shows_the_sample_in_trouble()
    {
        await using var browser = await Browser.Start();
        using var sample = await SampleProcess.Start("Development");
        var view = await browser.Open(new Uri(sample.Address, "/asynclog"), 1600, ColorScheme.Light);
        using var pressed = await sample.Client.PostAsync("/demo/full", null, TestContext.Current.CancellationToken);
        var lost = await Lost(sample);
        var shown = lost.ToString("N0", CultureInfo.InvariantCulture);
        await Eventually.Holds(async () => await view.RowText(Sink, "[data-of=dropped]") == shown, () => $"the page does not say that {shown} are lost");
        Assert.Empty(view.Complaints);
    }

    [Fact]
    public async Task Each_button_of_the_demo_says_what_happens()
    {
        using var sample = await SampleProcess.Start("Development");
        foreach (var (button, words) in ((string, string)[])[("burst", "50,000 records were logged"), ("stall", "stands still until "), ("full", "its queue is full"), ("refuse", "refuses until ")])
        {
            using var pressed = await sample.Client.PostAsync("/demo/" + button, null, TestContext.Current.CancellationToken);
            Assert.Contains(words, await pressed.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
        }

        Assert.DoesNotContain("until", (await sample.Client.GetStringAsync("/demo", TestContext.Current.CancellationToken)).Split("role=\"status\"")[1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_stall_alone_fills_the_queue_and_the_page_shows_it()
    {
        await using var browser = await Browser.Start();
        using var sample = await SampleProcess.Start("Development");
        var demo = await browser.Open(new Uri(sample.Address, "/demo"), 1280, ColorScheme.Light);
        await demo.Page.GetByRole(AriaRole.Button, new PageGetByRoleOptions { Name = "Stall", Exact = true }).ClickAsync();
        Assert.StartsWith("The warehouse stands still until ", await demo.Page.GetByRole(AriaRole.Status).InnerTextAsync(), StringComparison.Ordinal);

        var view = await browser.Open(new Uri(sample.Address, "/asynclog"), 1280, ColorScheme.Light);
        await Eventually.Holds(async () => await view.RowText(Sink, "[data-of=state]") == "Degraded", () => "nothing is seen of the stall");
        Assert.Equal("no answer in time", await view.RowText(Sink, "[data-of=reason]"));
        await Eventually.Holds(
            async () => int.Parse((await view.RowText(Sink, "[data-fill=queue] .text")).Split(' ')[0], CultureInfo.InvariantCulture) >= 80, () => "the queue does not fill");
        await Eventually.Holds(
            async () => (await view.RowText(Sink, "[data-of=reason]")).Contains(" until ", StringComparison.Ordinal), () => "the stall does not end", TimeSpan.FromMinutes(2));
        var status = await Status(sample);
        Assert.Equal((1_700, 1_700, 0), (Count(status, "offered"), Count(status, "written"), Count(status, "dropped")));
        Assert.Empty(view.Complaints);
    }

    [Fact]
    public async Task A_real_Prometheus_scrapes_the_sample()
    {
        using var sample = await SampleProcess.Start("Development");
        await using var prometheus = await Prometheus.Start("groups: []\n", ("sample", sample.Address));
        using var pressed = await sample.Client.PostAsync("/demo/full", null, TestContext.Current.CancellationToken);
        var lost = await Lost(sample);
        await Prometheus.Shows(
            async () => (await prometheus.Query($"sum(asynclog_sink_dropped_total{{asynclog_sink_name=\"{Sink}\"}})")).FirstOrDefault()?.Value == lost, () => $"Prometheus does not know of {lost}");
        Assert.Equal(1, Assert.Single(await prometheus.Query("up")).Value);
    }

    [Fact]
    public async Task Outside_Development_the_sample_shows_neither_page_nor_buttons()
    {
        using var sample = await SampleProcess.Start("Production");
        foreach (var path in (string[])["/asynclog", "/asynclog/status", "/asynclog/metrics", "/demo"])
        {
            using var answer = await sample.Client.GetAsync(path, TestContext.Current.CancellationToken);
            Assert.Equal(HttpStatusCode.NotFound, answer.StatusCode);
        }

        // The word, no path and no host.
        Assert.Equal("Healthy", await sample.Client.GetStringAsync("/health", TestContext.Current.CancellationToken));
    }

    private static async Task<JsonElement> Status(SampleProcess sample)
        => (await sample.Client.GetFromJsonAsync<JsonElement>("/asynclog/status", TestContext.Current.CancellationToken))
            .GetProperty("instances").EnumerateArray().Single(static sink => sink.GetProperty("name").GetString() == Sink);

    // Of the 5,000 records that are more than the queue holds.
    private static async Task<long> Lost(SampleProcess sample)
    {
        var lost = Count(await Status(sample), "dropped");
        Assert.InRange(lost, 1, 4_999);
        return lost;
    }

    private static long Count(JsonElement json, string name) => json.GetProperty(name).GetInt64();
}
