using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using AsyncLog.Tests.Support;

namespace AsyncLog.Tests;

public sealed class WebAppTests
{
    [Fact]
    public async Task Each_answer_carries_the_id_of_its_one_line()
    {
        using var folder = new TempFolder();
        var ids = new List<string>();
        await using (var shop = new Shop(folder))
        {
            using var client = shop.CreateClient();
            foreach (var path in (string[])["/", "/articles", "/fail", "/nothing", "/orders/77"])
                ids.Add(await Ask(client, path));
        }

        Assert.Equal(ids, await Written(folder, ids.Count));
        Assert.Equal(
            ["GET / responded 200", "GET /articles responded 200", "GET /fail responded 500", "GET /nothing responded 404", "GET /orders/77 responded 404"],
            folder.Lines("logs", "WebApp.log").Where(static line => line.Contains("AsyncLog.Requests: HTTP ", StringComparison.Ordinal)).Select(static line => line.Split("HTTP ")[1].Split(" in ")[0]));
    }

    [Fact]
    public async Task An_unhandled_exception_stands_in_the_errors_file_with_its_stack()
    {
        using var folder = new TempFolder();
        await using (var shop = new Shop(folder))
        {
            using var client = shop.CreateClient();
            using var answer = await client.GetAsync("/fail", TestContext.Current.CancellationToken);
            Assert.Equal(HttpStatusCode.InternalServerError, answer.StatusCode);
        }

        var lines = Array.Empty<string>();
        await Eventually.Holds(() => (lines = folder.Lines("logs", "WebApp-errors.log")).Length > 2, () => "nothing in the errors file");
        Assert.Contains(lines, static line => line.Contains("[ERR] Microsoft.AspNetCore.Diagnostics", StringComparison.Ordinal));
        Assert.Contains(lines, static line => line.StartsWith("  System.InvalidOperationException: No handler catches this exception", StringComparison.Ordinal));
        Assert.Contains(lines, static line => line.StartsWith("     at ", StringComparison.Ordinal));
        Assert.DoesNotContain(lines, static line => line.Contains("[INF]", StringComparison.Ordinal) || line.Contains("[WRN]", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Where_a_collector_is_named_every_request_is_exported_too()
    {
        using var folder = new TempFolder();
        await using var receiver = await OtlpReceiver.StartAsync();
        using var shop = new ShopProcess(folder, ("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.Endpoint), ("OTEL_SERVICE_NAME", "the-shop"));
        using var client = new HttpClient { BaseAddress = await shop.Started() };

        var id = await Ask(client, "/articles");
        Assert.Equal(1, await shop.Stopped());

        Assert.Contains(receiver.Requests, request => request.Contains("the-shop", StringComparison.Ordinal)
            && request.Contains("AsyncLog.Requests", StringComparison.Ordinal) && request.Contains(id, StringComparison.Ordinal) && request.Contains("HTTP GET /articles responded 200", StringComparison.Ordinal));
        Assert.Single(folder.Lines("logs", "requests.jsonl"));
    }

    [Fact]
    public async Task A_cart_becomes_an_order_and_both_are_in_the_main_file()
    {
        using var folder = new TempFolder();
        await using (var shop = new Shop(folder))
        {
            using var client = shop.CreateClient();
            using var added = await client.PostAsJsonAsync("/carts/joe", new { article = "bread", quantity = 2 }, TestContext.Current.CancellationToken);
            using var ordered = await client.PostAsync("/orders/joe", null, TestContext.Current.CancellationToken);
            Assert.Equal((HttpStatusCode.OK, HttpStatusCode.OK), (added.StatusCode, ordered.StatusCode));
        }

        await Written(folder, requests: 2);
        var lines = folder.Lines("logs", "WebApp.log");
        Assert.Single(lines, static line => line.EndsWith("[INF] WebApp.Carts: 2 of bread added to the cart of joe", StringComparison.Ordinal));
        Assert.Single(lines, static line => line.EndsWith("[INF] WebApp.Orders: Order 1 of joe placed: 1 items, 6.40", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Two_hosts_in_one_process_append_to_one_file()
    {
        using var folder = new TempFolder();
        var ids = new List<string>();
        await using (var one = new Shop(folder))
        await using (var other = new Shop(folder))
        {
            using var client = one.CreateClient();
            using var otherClient = other.CreateClient();
            for (var round = 0; round < 20; round++)
            {
                ids.Add(await Ask(client, "/"));
                ids.Add(await Ask(otherClient, "/"));
            }
        }

        Assert.Equal(ids.Order(StringComparer.Ordinal), (await Written(folder, ids.Count)).Order(StringComparer.Ordinal));
    }

    // WebApplicationFactory may return from dispose while the application's own Main still disposes the container, and with it drains.
    private static async Task<IReadOnlyList<string>> Written(TempFolder folder, int requests)
    {
        string[] lines = [];
        await Eventually.Holds(
            () => (lines = folder.Lines("logs", "requests.jsonl")).Length >= requests && folder.Lines("logs", "WebApp.log").Any(static line => line.Contains("shutting down", StringComparison.Ordinal)),
            () => $"{lines.Length} of {requests} requests in {folder.Path}");
        return [.. lines.Select(RequestLine.Id)];
    }

    // The header and the body say the same id.
    private static async Task<string> Ask(HttpClient client, string path)
    {
        using var answer = await client.GetAsync(path, TestContext.Current.CancellationToken);
        var id = answer.Headers.GetValues("X-Request-Id").Single();
        var body = await answer.Content.ReadFromJsonAsync<JsonElement>(TestContext.Current.CancellationToken);
        Assert.Equal(id, body.GetProperty("requestId").GetString());
        return id;
    }
}
