using System.Diagnostics;
using System.Net.Http.Json;
using System.Text.Json;
using AsyncLog.Tests.Support;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Page;

public sealed class StatusJsonTests
{
    [Fact]
    public async Task The_JSON_says_what_the_status_says()
    {
        var mood = new Mood();
        await using var app = await TestApp.Start(logging => logging.AddMoody("one", mood, static options => options.MaxQueueLength = 100));
        mood.Hang();
        for (var number = 0; number < 300; number++)
            app.Logger().LogInformation("record {Number}", number);
        mood.GoOn();
        await app.AtRest("moody/one");
        var status = app.Status("moody/one");

        using var client = app.Client();
        var json = (await client.GetFromJsonAsync<JsonElement>("/asynclog/status", TestContext.Current.CancellationToken)).GetProperty("instances")[0];

        Assert.Equal(("moody/one", "moody", "nowhere", "degraded"), (Text(json, "name"), Text(json, "type"), Text(json, "target"), Text(json, "state")));
        Assert.Equal((status.Reason, status.ReasonSince), (Text(json, "reason"), json.GetProperty("since").GetDateTimeOffset()));
        Assert.Equal(300, json.GetProperty("offered").GetInt64());
        Assert.InRange(status.Dropped, 1, 299);
        Assert.Equal((status.Enqueued, status.Written, status.Dropped), (Count(json, "enqueued"), Count(json, "written"), Count(json, "dropped")));
        Assert.Equal(status.Enqueued, Count(json.GetProperty("enqueuedByLevel"), "Information"));
        foreach (var drops in (string[])["drops", "recentDrops"])
        {
            var drop = Assert.Single(json.GetProperty(drops).EnumerateArray());
            Assert.Equal(("queue_full", "Information", status.Dropped), (Text(drop, "reason"), Text(drop, "level"), Count(drop, "count")));
        }

        Assert.Equal("Trace", Text(json.GetProperty("effectiveLevels").GetProperty("Shop.Cart"), "level"));
        Assert.Equal((100, status.QueueBytesLimit), (Count(json.GetProperty("queue"), "capacity"), Count(json.GetProperty("queue"), "bytesLimit")));
        Assert.True(Count(json.GetProperty("writeSeconds"), "count") > 0, "no write was measured");
    }

    [Fact]
    public async Task The_JSON_names_application_host_process_environment_and_uptime()
    {
        await using var app = await TestApp.Start(static logging => logging.AddMoody("one", new Mood()));
        using var client = app.Client();
        var before = DateTimeOffset.UtcNow;
        var status = await client.GetFromJsonAsync<JsonElement>("/asynclog/status", TestContext.Current.CancellationToken);
        var after = DateTimeOffset.UtcNow;
        var application = status.GetProperty("application");

        Assert.Equal(["name", "version", "environment", "host", "processId", "startedAt", "uptimeSeconds", "asyncLogVersion", "utcOffset", "guide"], application.EnumerateObject().Select(static member => member.Name));
        Assert.Equal(("AsyncLog.AspNetCore.Tests", "Development", Environment.MachineName), (Text(application, "name"), Text(application, "environment"), Text(application, "host")));
        Assert.Matches(@"^\d+\.\d+\.\d+", Text(application, "version"));
        Assert.Equal(Environment.ProcessId, Count(application, "processId"));
        var started = application.GetProperty("startedAt").GetDateTimeOffset();
        using var process = Process.GetCurrentProcess();
        Assert.Equal(process.StartTime.ToUniversalTime(), started.UtcDateTime, TimeSpan.FromSeconds(1));
        var captured = status.GetProperty("capturedAt").GetDateTimeOffset();
        Assert.InRange(captured, before, after);
        Assert.Equal((captured - started).TotalSeconds, application.GetProperty("uptimeSeconds").GetDouble(), 0.1);
        Assert.Equal(typeof(IAsyncLogControl).Assembly.GetName().Version!.ToString(3), Text(application, "asyncLogVersion")!.Split('-')[0]);
        Assert.Equal(DateTimeOffset.Now.ToString("zzz", System.Globalization.CultureInfo.InvariantCulture), Text(application, "utcOffset"));
        Assert.EndsWith("/docs/operations.md", Text(application, "guide"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Keys_that_are_not_known_are_named()
    {
        var configuration = new ConfigurationBuilder().AddInMemoryCollection([new("Moody:Wibble", "1")]).Build();
        await using var app = await TestApp.Start(logging => logging.AddMoody("one", new Mood()).AddConfiguration(configuration));
        using var client = app.Client();
        var json = await client.GetFromJsonAsync<JsonElement>("/asynclog/status", TestContext.Current.CancellationToken);
        Assert.Equal(["Logging:Moody:Wibble"], json.GetProperty("unknownKeys").EnumerateArray().Select(static key => key.GetString()));
    }

    [Fact]
    public async Task The_history_is_columns_of_one_length_with_the_oldest_sample_first()
    {
        await using var app = await TestApp.Start(static logging => logging.AddMoody("one", new Mood()));
        app.Logger().LogInformation("one");
        using var client = app.Client();
        JsonElement columns = default;
        await Eventually.Holds(
            async () =>
            {
                var history = await client.GetFromJsonAsync<JsonElement>("/asynclog/history", TestContext.Current.CancellationToken);
                columns = history.GetProperty("instances").GetProperty("moody/one");
                return columns.GetProperty("at").GetArrayLength() >= 2 && columns.GetProperty("written").EnumerateArray().Last().GetInt64() == 1;
            },
            () => "no history: " + columns);
        Assert.NotEmpty(columns.EnumerateObject());
        Assert.All(columns.EnumerateObject(), column => Assert.Equal(columns.GetProperty("at").GetArrayLength(), column.Value.GetArrayLength()));
        var times = columns.GetProperty("at").EnumerateArray().Select(static at => at.GetInt64()).ToArray();
        Assert.Equal(times.Distinct().Order(), times);
    }

    [Fact]
    public void Quantiles_are_spread_evenly_within_a_bucket()
    {
        var writes = new WriteDurationHistogram([0.1, 0.2, 0.5], [10, 10, 0, 0]);
        Assert.Equal((0.1, 0.19), (writes.Quantile(0.5)!.Value, Math.Round(writes.Quantile(0.95)!.Value, 6)));
        Assert.Equal(0.5, new WriteDurationHistogram([0.1, 0.2, 0.5], [0, 0, 0, 3]).Quantile(0.5));
        Assert.Null(WriteDurationHistogram.None.Quantile(0.5));
    }

    private static string? Text(JsonElement json, string name) => json.GetProperty(name).GetString();

    private static long Count(JsonElement json, string name) => json.GetProperty(name).GetInt64();
}
