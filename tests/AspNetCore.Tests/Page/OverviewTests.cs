using System.Globalization;
using System.Net.Http.Json;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using AsyncLog.Tests.Support;
using Microsoft.Extensions.Logging;
using Microsoft.Playwright;

namespace AsyncLog.Tests.Page;

/// <summary>What an operator must see at a glance, in a real browser.</summary>
[Trait("Category", "system")]
public sealed partial class OverviewTests
{
    private const string Name = "AsyncLog.AspNetCore.Tests";
    private const string Failed = "rgb(194, 31, 43)";

    [Fact]
    public async Task A_page_whose_application_has_ended_looks_dead_and_says_of_when_it_is()
    {
        await using var browser = await Browser.Start();
        PageView view;
        await using (var scenes = await PageScenes.Start())
        {
            view = await browser.Open(new Uri(scenes.App.Address, "/asynclog"), 1280, ColorScheme.Light);
            Assert.Equal("All 3 sinks deliver.", await view.Verdict());
            Assert.Equal("1", await Style(view, "main", "opacity"));
        }

        await Eventually.Holds(async () => (await view.Verdict()).StartsWith(Name + " does not answer.", StringComparison.Ordinal), () => "it does not say that nobody answers");
        await view.Picture("gone");
        var last = await view.Page.EvaluateAsync<string>("new Date(document.body.dataset.captured).toTimeString().slice(0, 8)");
        Assert.InRange(TimeOnly.ParseExact((await view.Verdict()).Split(" at ")[1][..8], "HH:mm:ss", CultureInfo.InvariantCulture) - TimeOnly.Parse(last, CultureInfo.InvariantCulture), TimeSpan.Zero, TimeSpan.FromSeconds(10));
        Assert.StartsWith($"\u2716 no answer: {Name} on ", await view.Page.TitleAsync(), StringComparison.Ordinal);
        Assert.Equal("0.65", await Style(view, "main", "opacity"));
        Assert.Equal(Failed, await Style(view, "header.top", "background-color"));
        // What it knew stays.
        Assert.Equal(3, await view.Page.Locator("#overview tbody tr").CountAsync());
    }

    [Fact]
    public async Task Title_page_and_JSON_say_whose_sinks_they_show()
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        var view = await browser.Open(new Uri(scenes.App.Address, "/asynclog"), 1280, ColorScheme.Light);
        var version = Assembly.GetEntryAssembly()!.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];

        var title = $"{Name} on {Environment.MachineName} ({Environment.ProcessId}), Development, {version}";
        Assert.Equal(title, await view.Page.TitleAsync());
        Assert.Equal(Name, await view.Page.Locator("h1").InnerTextAsync());
        Assert.Matches(
            @$"^on {Environment.MachineName}, process {Environment.ProcessId}, version {version.Replace(".", @"\.", StringComparison.Ordinal)}, Development, up (\d+ h )?\d+ (s|min)$",
            await view.Page.Locator("#process").InnerTextAsync());

        await scenes.GoWrong();
        await Eventually.Holds(async () => await view.Page.TitleAsync() == "\u2716 " + title, () => "the title does not warn");
    }

    [Fact]
    public async Task On_a_phone_the_failing_sink_is_on_the_first_screen()
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        await scenes.GoWrong();
        var view = await browser.Open(new Uri(scenes.App.Address, "/asynclog"), 390, ColorScheme.Light, height: 844);

        Assert.Equal(["moody/archive", "moody/audit", "moody/orders"], await view.Page.Locator("#overview tbody th a").AllInnerTextsAsync());
        var row = await view.Row("moody/archive").BoundingBoxAsync();
        Assert.InRange(row!.Y + row.Height, 1, 844);
        Assert.Contains("the collector answered 403", await view.RowText("moody/archive", "[data-of=error]"), StringComparison.Ordinal);
        Assert.Equal(Failed, await Style(view, "#verdict", "background-color"));
        Assert.True(await view.Page.EvaluateAsync<bool>("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways");
        await view.Picture("phone");
        // One card only: that of the worst.
        Assert.Equal(["moody/archive"], await view.Page.Locator("section:not([hidden])").EvaluateAllAsync<string[]>("cards => cards.map(card => card.dataset.sink)"));

        await view.Page.Locator("#verdict a", new PageLocatorOptions { HasText = "moody/audit" }).ClickAsync();
        Assert.Equal("sink:moody/audit", await view.Page.EvaluateAsync<string>("document.activeElement.id"));
        Assert.True(await view.Page.EvaluateAsync<bool>("Math.abs(document.activeElement.getBoundingClientRect().top) < 300"), "the card is not in sight");
        Assert.Empty(view.Complaints);
    }

    [Theory]
    [InlineData(390)]
    [InlineData(1280)]
    public async Task What_only_a_screen_reader_gets_covers_nothing(int width)
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        await scenes.GoWrong();
        var view = await browser.Open(new Uri(scenes.App.Address, "/asynclog"), width, ColorScheme.Light);
        Assert.Contains("moody/archive failed: permission denied", await view.Page.Locator("#spoken").TextContentAsync(), StringComparison.Ordinal);
        string[] hidden = width < 1000 ? ["#spoken", "a.skip", "#overview thead"] : ["#spoken", "a.skip"];
        foreach (var element in hidden)
        {
            var box = await view.Page.Locator(element).BoundingBoxAsync();
            Assert.True(box is { Width: <= 1, Height: <= 1 }, $"{element} is {box?.Width} x {box?.Height}");
            Assert.Equal("hidden", await Style(view, element, "overflow"));
        }

        await view.Page.Keyboard.PressAsync("Tab");
        var skip = await view.Page.Locator("a.skip").BoundingBoxAsync();
        Assert.True(skip is { Width: > 50, Height: > 15, X: >= 0, Y: >= 0 }, $"the focused link is {skip?.Width} x {skip?.Height}");
    }

    [Fact]
    public async Task A_sink_in_trouble_links_to_the_chapter_of_its_reason()
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        await scenes.GoWrong();
        var view = await browser.Open(new Uri(scenes.App.Address, "/asynclog"), 1280, ColorScheme.Light);
        var guide = view.Sink("moody/archive").Locator("[data-of=guide]");
        Assert.Equal("What to do", await guide.InnerTextAsync());
        Assert.EndsWith("/docs/operations.md#an-instance-is-not-healthy", await guide.GetAttributeAsync("href"), StringComparison.Ordinal);
        Assert.Matches("/docs/operations\\.md#(records-are-lost|the-queue-fills|nothing-is-delivered)$", await view.Sink("moody/audit").Locator("[data-of=guide]").GetAttributeAsync("href"));
        await view.Row("moody/orders").Locator("a").ClickAsync();
        Assert.True(await view.Sink("moody/orders").IsVisibleAsync());
        Assert.False(await view.Sink("moody/orders").Locator("[data-of=guide]").IsVisibleAsync());
    }

    [Fact]
    public void Every_chapter_that_the_page_links_to_is_in_the_guide()
    {
        var script = File.ReadAllText(Path.Combine(Repository.Root, "src", "AspNetCore", "Page", "page.js"));
        var begin = script.IndexOf("const chapters = {", StringComparison.Ordinal);
        var linked = Chapter().Matches(script[begin..script.IndexOf("\n\n", begin, StringComparison.Ordinal)].Split("const states")[0]).Select(static match => match.Groups[1].Value).ToArray();
        Assert.True(linked.Length >= 7, string.Join(' ', linked));
        var headings = File.ReadAllLines(Path.Combine(Repository.Root, "docs", "operations.md")).Where(static line => line.StartsWith("## ", StringComparison.Ordinal))
            .Select(static line => line[3..].ToLowerInvariant().Replace(' ', '-')).ToArray();
        Assert.All(linked, chapter => Assert.Contains(chapter, headings));
    }

    [Fact]
    public async Task The_page_says_in_which_zone_its_times_are_and_in_which_those_of_the_log()
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        var view = await browser.Open(
            new Uri(scenes.App.Address, "/asynclog"),
            1280,
            ColorScheme.Light,
            before: page => ChangeStatus(page, static status => Offset().Replace(status, "\"utcOffset\":\"+05:45\"")));
        var own = await view.Page.EvaluateAsync<int>("-new Date().getTimezoneOffset()");
        var zone = (own < 0 ? "-" : "+") + TimeSpan.FromMinutes(Math.Abs(own)).ToString(@"hh\:mm", CultureInfo.InvariantCulture);
        Assert.Matches($@"^as of \d\d:\d\d:\d\d UTC{Regex.Escape(zone)}, in the log UTC\+05:45$", await view.Page.Locator("#fresh").InnerTextAsync());
        Assert.Matches($@"^AsyncLog \d+\.\d+\.\d+[^,]*, times in UTC{Regex.Escape(zone)}$", await view.Page.Locator("#library").InnerTextAsync());
    }

    [Fact]
    public async Task A_full_disk_is_told_with_the_space_that_is_free()
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        await scenes.GoWrong();
        const string Free = "[{\"name\":\"asynclog.file.filesystem.available\",\"unit\":\"By\",\"tags\":{},\"value\":12288}]";
        var view = await browser.Open(
            new Uri(scenes.App.Address, "/asynclog"),
            1280,
            ColorScheme.Light,
            before: page => ChangeStatus(page, static status => Measurements().Replace(status.Replace("\"reason\":\"permission\"", "\"reason\":\"no_space\"", StringComparison.Ordinal), "\"measurements\":" + Free)));
        Assert.Equal("no space on the disk (12 KB free)", await view.RowText("moody/archive", "[data-of=reason]"));
        Assert.Contains("failed: no space on the disk (12 KB free).", await view.Verdict(), StringComparison.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData(1_000_000, "36 s")]
    [InlineData(30_000, "16 s")]
    public async Task A_queue_that_fills_is_told_with_the_time_until_it_is_full(int bytesLimit, string time)
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        await scenes.GoWrong();
        // Later than what the history has.
        var start = DateTimeOffset.UtcNow.AddHours(1);
        var answers = 0;
        var view = await browser.Open(
            new Uri(scenes.App.Address, "/asynclog"),
            1280,
            ColorScheme.Light,
            before: page => ChangeStatus(page, status => Filling(status, Math.Min(++answers, 4))));
        var line = "";
        await Eventually.Holds(
            async () =>
            {
                line = (await view.Verdict()).Split('\n')[0];
                return line.Contains("; queue full in about " + time, StringComparison.Ordinal);
            },
            () => line);
        Assert.Matches($@"^moody/archive: nothing written (yet|since .+); queue full in about {time}\. Failed: permission denied\.$", line);

        // Ten records of 100 bytes come each second; at the fourth there are 140, and 500 is the limit.
        string Filling(string status, int second)
        {
            var changed = JsonNode.Parse(status)!;
            var archive = changed["instances"]!.AsArray().Single(static instance => (string?)instance!["name"] == "moody/archive")!;
            var (queue, records) = (archive["queue"]!, 100 + (10 * second));
            (changed["capturedAt"], archive["inFlight"]) = (start.AddSeconds(second), 0);
            (queue["size"], queue["capacity"], queue["bytes"], queue["bytesLimit"]) = (records, 500, 100 * records, bytesLimit);
            return changed.ToJsonString();
        }
    }

    [Fact]
    public async Task Many_failing_sinks_leave_room_for_their_rows()
    {
        await using var browser = await Browser.Start();
        var mood = new Mood { Failure = new LogSinkException("permission", "closed", isPermanent: true) };
        await using var app = await TestApp.Listen(logging =>
        {
            foreach (var name in (string[])["one", "two", "three", "four", "five"])
                logging.AddMoody(name, mood, static options => options.ShutdownTimeout = TimeSpan.Zero);
        });
        app.Logger().LogInformation("one");
        await Eventually.Holds(() => app.Control.GetStatus().Instances.All(static sink => sink.State == SinkState.Failed), () => "not all failed");
        var view = await browser.Open(new Uri(app.Address, "/asynclog"), 390, ColorScheme.Dark, height: 844);

        var lines = (await view.Verdict()).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(["moody/one", "moody/two", "moody/three", "And 2 more."], lines.Select(static line => line.Split(": ")[0]));
        Assert.All(lines[..3], static line => Assert.Matches(@"^moody/\w+: nothing written (yet|since .+)(; queue full in about .+)?\. Failed: permission denied\.$", line));
        var last = await view.Row("moody/five").BoundingBoxAsync();
        Assert.InRange(last!.Y + last.Height, 1, 844);
    }

    [Fact]
    public async Task A_healthy_sink_takes_one_row_until_its_card_is_opened()
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        await scenes.GoWrong();
        var view = await browser.Open(new Uri(scenes.App.Address, "/asynclog"), 1280, ColorScheme.Light);

        Assert.False(await view.Sink("moody/orders").IsVisibleAsync());
        Assert.True(await view.Sink("moody/archive").IsVisibleAsync());
        // A name has a line of its own as long as there is room.
        var lines = await view.Page.Locator("#overview tbody th").EvaluateAllAsync<int[]>(
            "cells => cells.map(cell => new Set([cell.querySelector('svg'), cell.querySelector('a')].map(part => Math.round(part.getBoundingClientRect().top / 10))).size * cell.querySelector('a').getClientRects().length)");
        Assert.Equal([1, 1, 1], lines);
        await view.Row("moody/audit").Locator("a").ClickAsync();
        Assert.True(await view.Sink("moody/audit").IsVisibleAsync());
        await view.Row("moody/orders").Locator("a").ClickAsync();
        Assert.True(await view.Sink("moody/orders").IsVisibleAsync());
        var healthy = await view.Sink("moody/orders").BoundingBoxAsync();
        var losing = await view.Sink("moody/audit").BoundingBoxAsync();
        Assert.True(healthy!.Height < losing!.Height, $"{healthy.Height} against {losing.Height}");
        Assert.True(
            await view.Page.EvaluateAsync<bool>("[...document.querySelectorAll('section:not([hidden]) figure svg')].every(svg => svg.viewBox.baseVal.width === svg.clientWidth)"), "a chart is not as wide as its card");

        await view.Page.GetByRole(AriaRole.Button, new PageGetByRoleOptions { Name = "Close moody/orders" }).ClickAsync();
        await view.Page.GetByRole(AriaRole.Button, new PageGetByRoleOptions { Name = "Close moody/audit" }).ClickAsync();
        await NextAnswer(view);
        Assert.False(await view.Sink("moody/orders").IsVisibleAsync());
        Assert.False(await view.Sink("moody/audit").IsVisibleAsync());
        Assert.Empty(view.Complaints);
    }

    [Theory]
    [InlineData(390)]
    [InlineData(1280)]
    public async Task Levels_are_grouped_by_rule_and_no_word_is_broken(int width)
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        foreach (var category in (string[])["Microsoft.AspNetCore.Diagnostics.DeveloperExceptionPageMiddleware", "Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets", "Shop.Cart", "Shop.Orders.Archive"])
            scenes.App.Logger(category);
        var view = await browser.Open(new Uri(scenes.App.Address, "/asynclog#sink:moody/orders"), width, ColorScheme.Light);
        await view.Sink("moody/orders").Locator("summary", new LocatorLocatorOptions { HasText = "Levels" }).ClickAsync();
        var folded = view.Sink("moody/orders").Locator(".levels summary");
        for (var index = 0; index < await folded.CountAsync(); index++)
            await folded.Nth(index).ClickAsync();
        await view.Picture("levels-" + width.ToString(CultureInfo.InvariantCulture));

        using var client = new HttpClient { BaseAddress = scenes.App.Address };
        var status = await client.GetFromJsonAsync<JsonElement>("/asynclog/status", TestContext.Current.CancellationToken);
        var levels = status.GetProperty("instances")[0].GetProperty("effectiveLevels").EnumerateObject().ToArray();
        Assert.True(levels.Length >= 4, $"{levels.Length} categories");
        var rules = levels.GroupBy(static entry => (entry.Value.GetProperty("level").GetString(), entry.Value.GetProperty("rule").GetString())).ToArray();
        Assert.True(rules.Length >= 2, "one rule only");
        Assert.Equal(rules.Length, await view.Sink("moody/orders").Locator(".levels dt").CountAsync());
        var text = await view.Sink("moody/orders").Locator(".levels").TextContentAsync();
        Assert.All(levels, entry => Assert.Contains(entry.Name, text, StringComparison.Ordinal));
        // The rule that concerns the framework only comes last.
        Assert.Matches("^[0-9]+ of the framework", (await view.Sink("moody/orders").Locator(".levels dd").Last.InnerTextAsync()).Trim());

        Assert.Empty(await view.Page.EvaluateAsync<string[]>(
            """
            () => {
              const broken = [], range = document.createRange();
              for (const list of document.querySelectorAll('section:not([hidden]) .levels')) {
                const texts = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
                for (let node = texts.nextNode(); node; node = texts.nextNode()) {
                  for (const word of node.data.matchAll(/[^\s.:\/,]+/g)) {
                    range.setStart(node, word.index);
                    range.setEnd(node, word.index + word[0].length);
                    if (range.getClientRects().length > 1)
                      broken.push(word[0]);
                  }
                }
              }
              return broken;
            }
            """));
        Assert.True(await view.Page.EvaluateAsync<bool>("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways");
    }

    [Fact]
    public async Task Objects_that_could_not_be_serialized_are_counted_and_the_first_of_each_type_is_named()
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        var view = await browser.Open(new Uri(scenes.App.Address, "/asynclog"), 1280, ColorScheme.Light);
        var notice = view.Page.Locator("#objects");
        Assert.False(await notice.IsVisibleAsync());

        scenes.App.Logger().LogInformation("Placed {@Order}", new Unreadable());
        scenes.App.Logger().LogInformation("Placed {@Order}", new Unreadable());
        await Eventually.Holds(async () => await notice.IsVisibleAsync(), () => "the page does not name the type");

        Assert.Equal(
            $"Values of {{@Item}} that could not be serialized: 2. {{@}} writes {typeof(Unreadable)} as its ToString(): InvalidOperationException: the context is disposed.",
            await notice.InnerTextAsync());
        Assert.Empty(view.Complaints);
    }

    [Fact]
    public async Task A_state_that_is_only_history_says_until_when()
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        await scenes.GoWrong();
        var view = await browser.Open(new Uri(scenes.App.Address, "/asynclog"), 1280, ColorScheme.Light);
        Assert.Matches("^(losing records|queue near full)$", await view.RowText("moody/audit", "[data-of=reason]"));
        await view.Row("moody/audit").Locator("a").ClickAsync();
        Assert.True(await view.Sink("moody/audit").Locator("time").IsVisibleAsync());

        scenes.GoOn();
        await scenes.App.AtRest("moody/audit");
        await Eventually.Holds(
            async () => (await view.RowText("moody/audit", "[data-of=reason]")).Contains("; healthy again at ", StringComparison.Ordinal), () => "the page does not say when the trouble ended");

        var status = scenes.App.Status("moody/audit");
        Assert.Equal(SinkState.Degraded, status.State);
        Assert.Equal(TimeSpan.FromSeconds(60), status.HealthyAt - status.TroubleEndedAt);
        var (was, only) = status.Reason == "drops" ? ("last loss", "if no more") : ("queue near full until", "if it does not come back");
        var expected = string.Create(CultureInfo.InvariantCulture, $"{was} {status.TroubleEndedAt!.Value.LocalDateTime:HH:mm:ss}; healthy again at {status.HealthyAt!.Value.LocalDateTime:HH:mm:ss} {only}");
        Assert.Equal(expected, await view.RowText("moody/audit", "[data-of=reason]"));
        Assert.Equal(expected, await view.Text("moody/audit", "[data-of=reason]"));
        Assert.Contains(". Degraded: " + expected, await view.Verdict(), StringComparison.Ordinal);
        // One time only: since when it was degraded says nothing of what is.
        Assert.False(await view.Sink("moody/audit").Locator("time").IsVisibleAsync());
        Assert.Empty(view.Complaints);
    }

    [Fact]
    public async Task One_lost_record_is_seen_beside_a_rate_of_fifty_thousand()
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        var now = scenes.App.Control.GetStatus().CapturedAt.ToUnixTimeMilliseconds();
        var seconds = Enumerable.Range(0, 60).ToArray();
        var orders = new
        {
            at = seconds.Select(second => now - 60_000 + second * 1000L),
            queueSize = seconds.Select(static _ => 0),
            enqueued = seconds.Select(static second => second * 50_000L),
            written = seconds.Select(static second => second * 50_000L),
            dropped = seconds.Select(static second => second < 30 ? 0 : 1),
            batches = seconds,
            writeMicroseconds = seconds.Select(static second => second * 100L),
        };
        var history = JsonSerializer.Serialize(new { instances = new Dictionary<string, object> { ["moody/orders"] = orders } });
        var view = await browser.Open(
            new Uri(scenes.App.Address, "/asynclog#sink:moody/orders"),
            1280,
            ColorScheme.Light,
            before: page => page.RouteAsync("**/asynclog/history", route => route.FulfillAsync(new RouteFulfillOptions { ContentType = "application/json", Body = history })));

        var chart = view.Sink("moody/orders").Locator("[data-chart=flow] svg");
        var bar = await SizeOf(chart, "lost");
        var band = await SizeOf(chart, "band");
        Assert.True(bar[0] >= 8 && bar[1] >= 3, $"the bar is {bar[0]} x {bar[1]}");
        Assert.True(band[0] > 80 && band[1] >= 3, $"the band is {band[0]} x {band[1]}");
        Assert.Equal(Failed, await OfPath<string>(chart, "lost", "getComputedStyle(path).stroke"));

        var spark = view.Row("moody/orders").Locator(".spark svg");
        var lost = await SizeOf(spark, "lost");
        Assert.True(lost[0] >= 20 && lost[1] >= 2, $"the loss in the row is {lost[0]} x {lost[1]}");
        Assert.Equal(Failed, await OfPath<string>(spark, "lost", "getComputedStyle(path).stroke"));
        Assert.Equal("max 50k/s", await view.RowText("moody/orders", "[data-of=peak]"));
    }

    [Fact]
    public async Task A_paused_page_says_since_when_holds_its_numbers_and_still_tells_that_the_application_is_gone()
    {
        await using var browser = await Browser.Start();
        PageView view;
        await using (var scenes = await PageScenes.Start())
        {
            view = await browser.Open(new Uri(scenes.App.Address, "/asynclog"), 1280, ColorScheme.Light);
            var button = view.Page.Locator("#pause");
            await button.ClickAsync();
            Assert.Matches(@"^Paused at \d\d:\d\d:\d\d \u00b7 Resume$", await button.InnerTextAsync());
            Assert.Equal("0.65", await Style(view, "main", "opacity"));
            var captured = await view.Page.EvaluateAsync<string>("document.body.dataset.captured");

            scenes.Log(10);
            await scenes.App.AtRest("moody/orders");
            var asked = view.Requests.Count;
            await Eventually.Holds(() => view.Requests.Count >= asked + 3, () => "a paused page asks no more");
            Assert.Equal(captured, await view.Page.EvaluateAsync<string>("document.body.dataset.captured"));
            Assert.Equal("0", await view.Count("moody/orders", "Written"));

            await button.ClickAsync();
            Assert.Equal("Pause", await button.InnerTextAsync());
            Assert.Equal("1", await Style(view, "main", "opacity"));
            await Eventually.Holds(async () => await view.Count("moody/orders", "Written") == "10", () => "a page that goes on shows nothing new");
            await button.ClickAsync();
            Assert.Empty(view.Complaints);
        }

        await Eventually.Holds(async () => (await view.Verdict()).StartsWith(Name + " does not answer.", StringComparison.Ordinal), () => "a paused page does not say that the application is gone");
        Assert.Equal(Failed, await Style(view, "header.top", "background-color"));
        await view.Picture("paused-gone");
    }

    [Fact]
    public async Task The_links_of_the_banner_keep_the_focus_while_its_numbers_change()
    {
        await using var browser = await Browser.Start();
        await using var scenes = await PageScenes.Start();
        await scenes.GoWrong();
        var view = await browser.Open(new Uri(scenes.App.Address, "/asynclog"), 1280, ColorScheme.Light);
        await view.Page.Locator("#verdict a").Last.FocusAsync();
        var before = await view.Verdict();
        await Eventually.Holds(
            async () =>
            {
                scenes.Log(1);
                return await view.Verdict() != before;
            },
            () => "the banner does not change");
        Assert.Equal("moody/audit", await view.Page.EvaluateAsync<string>("document.activeElement.textContent"));
    }

    private static Task ChangeStatus(IPage page, Func<string, string> change) => page.RouteAsync("**/asynclog/status", async route =>
    {
        var answer = await route.FetchAsync();
        await route.FulfillAsync(new RouteFulfillOptions { Response = answer, Body = change(await answer.TextAsync()) });
    });

    [GeneratedRegex("\"utcOffset\":\"[^\"]*\"")]
    private static partial Regex Offset();

    [GeneratedRegex("\"measurements\":\\[\\]")]
    private static partial Regex Measurements();

    [GeneratedRegex("'([a-z]+(?:-[a-z]+)+)'")]
    private static partial Regex Chapter();

    // In one step: the page draws the paths anew each second.
    private static Task<T> OfPath<T>(ILocator svg, string path, string expression) => svg.EvaluateAsync<T>($"svg => {{ const path = svg.querySelector('path.{path}'); return {expression}; }}");

    private static Task<double[]> SizeOf(ILocator svg, string path) => OfPath<double[]>(svg, path, "[path.getBBox().height, Number(path.getAttribute('stroke-width'))]");

    private static Task<string> Style(PageView view, string selector, string property)
        => view.Page.Locator(selector).EvaluateAsync<string>("(element, property) => getComputedStyle(element).getPropertyValue(property)", property);

    private static async Task NextAnswer(PageView view)
    {
        var before = await view.Page.EvaluateAsync<string>("document.body.dataset.captured");
        await view.Page.WaitForFunctionAsync("before => document.body.dataset.captured !== before", before);
    }

    private sealed class Unreadable
    {
        public string Customer => throw new InvalidOperationException("the context is disposed");
    }
}
