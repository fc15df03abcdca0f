using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using static AsyncLog.PlatformProbe.Application;

namespace AsyncLog.PlatformProbe;

/// <summary>What a record looks like.</summary>
internal static class LayoutChecks
{
    private const string Area = "layouts";

    public static readonly Check[] All =
    [
        new(Area, "text has the time with its offset, the level and the category", Text),
        new(Area, "text of any script and control characters stay on one line", Unicode),
        new(Area, "an exception is written with its stack", Exception),
        new(Area, "every JSON line parses and keeps the types of values", Json),
        new(Area, "every CLEF line parses", Clef),
        new(Area, "{@Item} is JSON of a generated contract", Objects),
        new(Area, "scopes and the ids of the activity are in JSON", Scopes),
        new(Area, "a record above MaxRecordSize is truncated and counted", Truncation),
    ];

    private static async Task Text(Ground ground)
    {
        await using (var app = Start("AsyncFile", ("Path", ground.File("app.log"))))
            app.Log(0, 1);
        var line = ground.Lines("app.log").Single();
        Expect.Contains("[INF] Probe: record 0.", line);
        var time = DateTimeOffset.ParseExact(line[..line.IndexOf('[')].Trim(), "yyyy-MM-dd HH:mm:ss.fff zzz", CultureInfo.InvariantCulture);
        Expect.True((DateTimeOffset.UtcNow - time).Duration() < TimeSpan.FromMinutes(1), () => line);
        Expect.Equal(TimeZoneInfo.Local.GetUtcOffset(time), time.Offset);
    }

    private static async Task Unicode(Ground ground)
    {
        await using (var app = ground.LogTo("app.log"))
            app.Logger.LogInformation("{Text}", "Grüße, 你好, 😀\n\u001b[31m");
        Expect.Lines([@"Grüße, 你好, 😀\n\u001b[31m"], ground.Lines("app.log"));
    }

    private static async Task Exception(Ground ground)
    {
        await using (var app = Start("AsyncFile", ("Path", ground.File("app.log")), ("Template", "{Message}{NewLine}{Exception}")))
        {
            try
            {
                throw new InvalidOperationException("thrown by the probe");
            }
            catch (InvalidOperationException exception)
            {
                app.Logger.LogError(exception, "it failed");
            }
        }

        var lines = ground.Lines("app.log");
        Expect.Equal("it failed", lines[0]);
        Expect.Equal("  System.InvalidOperationException: thrown by the probe", lines[1]);
        Expect.Contains("LayoutChecks", lines[2]);
    }

    private static async Task Json(Ground ground)
    {
        await using (var app = ground.LogTo("app.log", ("Format", "Json"), ("Template", "")))
        {
            for (var number = 0; number < 100; number++)
                app.Logger.LogInformation("order {Id} of {Customer} took {Time} ms", number, "Ann", 1.5);
        }

        var lines = ground.Lines("app.log");
        Expect.Equal(100, lines.Length);
        for (var number = 0; number < lines.Length; number++)
        {
            using var record = JsonDocument.Parse(lines[number]);
            var state = record.RootElement.GetProperty("State");
            Expect.Equal(number, state.GetProperty("Id").GetInt32());
            Expect.Equal(1.5, state.GetProperty("Time").GetDouble());
            Expect.Equal("Ann", state.GetProperty("Customer").GetString());
        }
    }

    private static async Task Clef(Ground ground)
    {
        await using (var app = ground.LogTo("app.log", ("Format", "Clef"), ("Template", "")))
            app.Log(0, 100);
        var lines = ground.Lines("app.log");
        Expect.Equal(100, lines.Length);
        for (var number = 0; number < lines.Length; number++)
        {
            using var record = JsonDocument.Parse(lines[number]);
            Expect.Equal("record {Number}.", record.RootElement.GetProperty("@mt").GetString());
            Expect.Equal(number, record.RootElement.GetProperty("Number").GetInt32());
        }
    }

    private static async Task Objects(Ground ground)
    {
        var configuration = Settings("AsyncFile", ("Path", ground.File("app.log")), ("Template", "{Message}{NewLine}"));
        await using (var app = new Application(configuration, static services => services.Configure<AsyncLogOptions>(static options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, OrderJson.Default))))
            app.Logger.LogInformation("took {@Order}", new Order(7, "Ann", [1, 2]));
        Expect.Lines(["""took {"Id":7,"Customer":"Ann","Items":[1,2]}"""], ground.Lines("app.log"));
    }

    private static async Task Scopes(Ground ground)
    {
        using var activity = new Activity("probe").Start();
        await using (var app = ground.LogTo("app.log", ("Format", "Json"), ("Template", "")))
        {
            using (app.Logger.BeginScope("run {Run}", 17))
                app.Log(0, 1);
        }

        using var record = JsonDocument.Parse(ground.Lines("app.log").Single());
        Expect.Equal(activity.TraceId.ToHexString(), record.RootElement.GetProperty("TraceId").GetString());
        Expect.Equal(activity.SpanId.ToHexString(), record.RootElement.GetProperty("SpanId").GetString());
        Expect.Contains("\"Run\":17", record.RootElement.GetProperty("Scopes").GetRawText());
    }

    private static async Task Truncation(Ground ground)
    {
        await using var app = ground.LogTo("app.log", ("MaxRecordSize", "1KB"));
        app.Logger.LogInformation("{Text}", new string('x', 5_000));
        await app.Flush();
        Expect.Equal(1, app.Status.Truncated);
        Expect.True(ground.Lines("app.log").Single().Length is > 900 and <= 1_024, () => ground.Lines("app.log")[0]);
    }
}

internal sealed record Order(int Id, string Customer, int[] Items);

[JsonSerializable(typeof(Order))]
internal sealed partial class OrderJson : JsonSerializerContext;
