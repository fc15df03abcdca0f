using System.Collections.Concurrent;
using System.Text.Json;
using AsyncLog.Tests.Support;

namespace AsyncLog.Tests;

public sealed class ProcessEndTests
{
    [Fact]
    public async Task After_SIGTERM_the_file_has_a_line_for_every_counted_request()
    {
        using var folder = new TempFolder();
        using var shop = new ShopProcess(folder);
        var answered = await AskInParallel(await shop.Started(), clients: 8, requests: 250);

        var counted = await shop.Stopped();

        var written = folder.Lines("logs", "requests.jsonl").Select(RequestLine.Id).ToList();
        Assert.Equal(2_000, counted);
        Assert.Equal(answered.Order(StringComparer.Ordinal), written.Order(StringComparer.Ordinal));
    }

    [Trait("Category", "system")]
    [Fact]
    public async Task After_wrk_and_SIGTERM_the_file_has_a_line_for_every_counted_request()
    {
        Assert.SkipWhen(await IsMissing("wrk"), "wrk is not installed");
        using var folder = new TempFolder();
        using var shop = new ShopProcess(folder);
        var address = await shop.Started();

        using var wrk = new ChildProgram("wrk", ["-t", "1", "-c", "100", "-d", "10s", address.ToString()], folder.Path);
        Assert.Equal(0, await wrk.Ended());
        var counted = await shop.Stopped();

        Assert.True(counted > 1_000, wrk.Printed);
        Assert.Equal(counted, Directory.GetFiles(folder.File("logs"), "requests*.jsonl").Sum(static file => File.ReadLines(file).LongCount()));
    }

    [Fact]
    public async Task After_SIGKILL_only_what_was_in_queue_and_batch_is_missing_and_every_line_is_whole()
    {
        // A request waits where the queue is full, so that nothing but the kill costs a record.
        const int queued = 300;
        using var folder = new TempFolder();
        using var shop = new ShopProcess(
            folder, ("Logging__AsyncFile__Files__requests__MaxQueueLength", $"{queued}"), ("Logging__AsyncFile__Files__requests__QueueFullMode", "Wait"));
        var address = await shop.Started();
        var answered = new ConcurrentBag<string>();
        var load = Enumerable.Range(0, 16).Select(_ => AskUntilItDies(address, answered)).ToList();
        await Eventually.Holds(() => answered.Count > 3_000, () => "too few answers: " + shop.Program.Printed);

        shop.Program.Signal("KILL");
        await Task.WhenAll(load);
        await shop.Program.Ended();

        var lines = folder.Lines("logs", "requests.jsonl");
        var written = lines.Select(RequestLine.Id).ToHashSet(StringComparer.Ordinal);
        Assert.Equal(lines.Length, written.Count);
        Assert.EndsWith("\n", File.ReadAllText(folder.File("logs", "requests.jsonl")), StringComparison.Ordinal);
        var missing = answered.Count(id => !written.Contains(id));
        // Those in the queue and in the batch, and what was being answered by 16 connections.
        Assert.InRange(missing, 0, queued + 16);
    }

    private static async Task<IReadOnlyCollection<string>> AskInParallel(Uri address, int clients, int requests)
    {
        var answered = new ConcurrentBag<string>();
        await Task.WhenAll(Enumerable.Range(0, clients).Select(async _ =>
        {
            using var client = new HttpClient { BaseAddress = address };
            for (var number = 0; number < requests; number++)
                answered.Add(await Ask(client));
        }));
        return answered;
    }

    private static async Task AskUntilItDies(Uri address, ConcurrentBag<string> answered)
    {
        using var client = new HttpClient { BaseAddress = address };
        try
        {
            while (true)
                answered.Add(await Ask(client));
        }
        catch (HttpRequestException)
        {
            // the process is dead: that is what this waits for
        }
    }

    private static async Task<string> Ask(HttpClient client)
    {
        using var body = JsonDocument.Parse(await client.GetStringAsync("/", TestContext.Current.CancellationToken));
        return body.RootElement.GetProperty("requestId").GetString()!;
    }

    private static async Task<bool> IsMissing(string program)
    {
        using var which = new ChildProgram("/bin/sh", ["-c", "command -v " + program], Environment.CurrentDirectory);
        return await which.Ended() != 0;
    }
}
