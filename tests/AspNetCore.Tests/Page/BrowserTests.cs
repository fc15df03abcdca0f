using System.Globalization;
using System.Net.Http.Json;
using System.Text.Json;
using AsyncLog.Tests.Support;
using Microsoft.Playwright;

namespace AsyncLog.Tests.Page;

[Trait("Category", "system")]
public sealed class BrowserTests
{
    // Each width and each scheme once; every pair in a release run.
    public static TheoryData<int, ColorScheme> Views => ReleaseRun.IsOn
        ? new() { { 400, ColorScheme.Light }, { 400, ColorScheme.Dark }, { 1600, ColorScheme.Light }, { 1600, ColorScheme.Dark } }
        : new() { { 400, ColorScheme.Light }, { 1600, ColorScheme.Dark } };

    [Theory]
    [MemberData(nameof(Views))]
    public async Task The_page_says_what_the_JSON_says_and_the_browser_has_nothing_to_complain_about(int width, ColorScheme scheme)
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        var picture = $"{width}-{scheme}".ToLowerInvariant();
        scenes.Log(500);
        foreach (var sink in PageScenes.Sinks)
            await scenes.App.AtRest(sink);
        var view = await browser.Open(new Uri(scenes.App.Address, "/asynclog"), width, scheme);
        await SaysTheSame(view, scenes);
        await view.Picture("healthy-" + picture);
        Assert.Equal("All 3 sinks deliver.", await view.Verdict());

        await scenes.GoWrong();
        await SaysTheSame(view, scenes);
        await view.Picture("trouble-" + picture);
        var lines = (await view.Verdict()).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Matches(@"^moody/archive: nothing written since \d\d:\d\d:\d\d \(.+\)(; queue full in about .+)?\. Failed: permission denied\.$", lines[0]);
        var lost = scenes.App.Status("moody/audit").Dropped.ToString("N0", CultureInfo.InvariantCulture);
        // The write hangs: after a while that is its reason.
        Assert.Matches(@$"^moody/audit lost {lost} records of level Information(; nothing written since .+)?(; queue full in about .+)?\. Degraded: (losing records|queue near full|no answer in time)\.$", lines[1]);

        Assert.Empty(view.Complaints);
        Assert.Contains(scenes.App.Address + "asynclog/status", view.Requests);
        Assert.All(view.Requests, url => Assert.StartsWith(scenes.App.Address.ToString(), url, StringComparison.Ordinal));
        Assert.True(await view.Page.EvaluateAsync<bool>("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways");
    }

    [Fact]
    public async Task Keyboard_and_screen_reader_get_everything()
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        await scenes.GoWrong();
        var view = await browser.Open(new Uri(scenes.App.Address, "/asynclog"), 1600, ColorScheme.Light);
        var page = view.Page;

        await page.Keyboard.PressAsync("Tab");
        Assert.Equal("Skip to the sinks", await Focused(page, "textContent"));
        await page.Keyboard.PressAsync("Enter");
        Assert.Equal("overview", await Focused(page, "id"));
        await page.Keyboard.PressAsync("Tab");
        Assert.Equal("moody/archive", await Focused(page, "textContent"));
        await page.Keyboard.PressAsync("Enter");
        Assert.Equal("sink:moody/archive", await Focused(page, "id"));
        await page.Keyboard.PressAsync("Tab");
        Assert.Equal("What to do", await Focused(page, "textContent"));
        await page.Keyboard.PressAsync("Tab");
        Assert.Equal("Close moody/archive", await Focused(page, "ariaLabel"));
        await page.Keyboard.PressAsync("Tab");
        Assert.Equal("All counts", await Focused(page, "textContent"));
        await page.Keyboard.PressAsync("Enter");
        Assert.True(await page.EvaluateAsync<bool>("document.activeElement.parentElement.open"), "the counts do not open");
        await page.Locator("#pause").FocusAsync();
        await page.Keyboard.PressAsync("Space");
        Assert.StartsWith("Paused at ", await Focused(page, "textContent"), StringComparison.Ordinal);
        await page.Keyboard.PressAsync("Space");
        await view.Row("moody/audit").Locator("a").ClickAsync();

        var overview = page.GetByRole(AriaRole.Table, new PageGetByRoleOptions { Name = "Sinks, those in trouble first" });
        Assert.Equal(3, await overview.GetByRole(AriaRole.Rowheader).CountAsync());
        Assert.Equal(8, await overview.GetByRole(AriaRole.Columnheader).CountAsync());
        Assert.Equal(3, await overview.GetByRole(AriaRole.Img, new LocatorGetByRoleOptions { Name = "Records in per second, last ten minutes: highest" }).CountAsync());
        foreach (var sink in PageScenes.Sinks[1..])
        {
            var region = page.GetByRole(AriaRole.Region, new PageGetByRoleOptions { Name = sink });
            Assert.Equal(1, await region.CountAsync());
            Assert.Equal(1, await region.GetByRole(AriaRole.Meter, new LocatorGetByRoleOptions { Name = "Records waiting" }).CountAsync());
            Assert.Equal(1, await region.GetByRole(AriaRole.Img, new LocatorGetByRoleOptions { Name = "Records per second, last ten minutes. in: now" }).CountAsync());
        }

        Assert.Equal(1, await page.GetByRole(AriaRole.Region, new PageGetByRoleOptions { Name = "moody/audit" }).GetByRole(AriaRole.Table, new LocatorGetByRoleOptions { Name = "Lost records" }).CountAsync());
        Assert.Equal("Failed", await page.Locator("section.failed .state strong").InnerTextAsync());
        Assert.Equal(3, await page.EvaluateAsync<int>("new Set([...document.querySelectorAll('.shape .body')].map(shape => shape.getAttribute('d'))).size"));
        Assert.Contains("near full", await view.Text("moody/audit", "[data-fill=records] .text"), StringComparison.Ordinal);
    }

    // What is at rest: every number of the page must be found in the JSON of the same moment.
    private static async Task SaysTheSame(PageView view, PageScenes scenes)
    {
        using var client = new HttpClient { BaseAddress = scenes.App.Address };
        var status = await client.GetFromJsonAsync<JsonElement>("/asynclog/status", TestContext.Current.CancellationToken);
        // Until its next request the page shows what was before.
        var capturedAt = status.GetProperty("capturedAt").GetDateTimeOffset();
        await Eventually.Holds(
            async () => DateTimeOffset.Parse(await view.Page.EvaluateAsync<string>("document.body.dataset.captured"), CultureInfo.InvariantCulture) >= capturedAt,
            () => $"the page shows nothing from {capturedAt} or later");
        foreach (var sink in status.GetProperty("instances").EnumerateArray())
        {
            var name = sink.GetProperty("name").GetString()!;
            foreach (var (row, property) in Counts)
                Assert.Equal(Number(sink.GetProperty(property)), await view.Count(name, row));
            Assert.Equal(sink.GetProperty("state").GetString(), await view.Row(name).Locator("[data-of=state]").TextContentAsync());
            Assert.Equal(sink.GetProperty("target").GetString(), await view.Text(name, "[data-of=target]"));
            Assert.Equal(Number(sink.GetProperty("dropped")), await view.RowText(name, "[data-of=dropped]"));
            var queue = sink.GetProperty("queue");
            // What a write holds waits too.
            var waiting = queue.GetProperty("size").GetInt64() + sink.GetProperty("inFlight").GetInt64();
            Assert.StartsWith(
                string.Create(CultureInfo.InvariantCulture, $"{waiting:N0} of {queue.GetProperty("capacity").GetInt64():N0} ("), await view.Text(name, "[data-fill=records] .text"), StringComparison.Ordinal);
            Assert.Equal(waiting.ToString(CultureInfo.InvariantCulture), await view.Sink(name).Locator("[data-fill=records] [role=meter]").GetAttributeAsync("aria-valuenow"));
            Assert.Equal(waiting > 0, (await view.Sink(name).Locator("[data-of=oldest]").TextContentAsync())!.Length > 0);
            foreach (var drop in sink.GetProperty("drops").EnumerateArray())
                Assert.Contains(Row(drop), await Rows(view, name), StringComparer.Ordinal);
        }
    }

    private static IEnumerable<(string Row, string Property)> Counts =>
    [
        ("Offered", "offered"), ("Accepted", "enqueued"), ("Lost before acceptance", "droppedBefore"), ("Written", "written"), ("Lost after acceptance", "droppedAfter"),
        ("In flight", "inFlight"), ("Written, truncated", "truncated"),
    ];

    private static string Row(JsonElement drop)
        => $"{(drop.GetProperty("reason").GetString() == "queue_full" ? "queue full" : "another reason")}|{drop.GetProperty("level").GetString()}|{Number(drop.GetProperty("count"))}|{Number(drop.GetProperty("count"))}";

    private static async Task<IReadOnlyList<string>> Rows(PageView view, string sink)
        => await view.Sink(sink).Locator("table[data-table=drops] tbody").EvaluateAsync<string[]>("body => [...body.rows].map(row => [...row.cells].map(cell => cell.textContent).join('|'))");

    private static Task<string> Focused(IPage page, string property) => page.EvaluateAsync<string>($"document.activeElement.{property}");

    private static string Number(JsonElement number) => number.GetInt64().ToString("N0", CultureInfo.InvariantCulture);
}
