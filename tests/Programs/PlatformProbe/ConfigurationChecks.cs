using System.Diagnostics.Metrics;
using AsyncLog.Tests;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using static AsyncLog.PlatformProbe.Application;

namespace AsyncLog.PlatformProbe;

/// <summary>Settings, their reload, health and counters.</summary>
internal static class ConfigurationChecks
{
    private const string Area = "configuration";

    public static readonly Check[] All =
    [
        new(Area, "a changed settings file changes the level", ReloadLevel),
        new(Area, "a changed settings file changes the path", ReloadPath),
        new(Area, "a broken settings file changes nothing and is reported", ReloadBroken),
        new(Area, "an environment variable sets an option", EnvironmentVariable),
        new(Area, "a path has names of the process and variables of the environment", PathTokens),
        new(Area, "an unknown key stops a strict start", Strict),
        new(Area, "the health check is healthy, and not while a sink fails", Health),
        new(Area, "the counters balance, also with a full queue", Balance),
        new(Area, "with Wait no record is lost in a small queue", WaitMode),
        new(Area, "the meter reports what was written", Meter),
        new(Area, "the bootstrap logs before the host", Bootstrap),
    ];

    private static async Task ReloadLevel(Ground ground)
    {
        await using var app = FromFile(ground, "app.log", "Warning");
        app.Log(0, 1);
        WriteSettings(ground, "app.log", "Information");
        await Eventually.Holds(() => app.Logger.IsEnabled(LogLevel.Information));
        app.Log(1, 1);
        await app.Flush();
        Expect.Lines(["record 1."], ground.Lines("app.log"));
    }

    private static async Task ReloadPath(Ground ground)
    {
        await using var app = FromFile(ground, "first.log", "Information");
        app.Log(0, 1);
        await app.Flush();
        WriteSettings(ground, "second.log", "Information");
        var next = 1;
        await Eventually.Holds(async () =>
        {
            app.Log(next++, 1);
            await app.Flush();
            return ground.Lines("second.log").Length > 0;
        });
        Expect.Lines(Messages(0, next), ground.Lines("first.log").Concat(ground.Lines("second.log")));
    }

    private static async Task ReloadBroken(Ground ground)
    {
        await using var app = FromFile(ground, "app.log", "Information");
        WriteSettings(ground, "app.log", "Informatoin");
        await Eventually.Holds(() => app.Status.ConfigurationProblem is not null);
        app.Log(0, 1);
        await app.Flush();
        Expect.Lines(["record 0."], ground.Lines("app.log"));
    }

    private static async Task EnvironmentVariable(Ground ground)
    {
        Environment.SetEnvironmentVariable("Probe__Logging__AsyncFile__Path", ground.File("app.log"));
        var configuration = new ConfigurationBuilder().AddEnvironmentVariables("Probe__").AddInMemoryCollection([new("AsyncLog:StartupReport", "false"), new("AsyncLog:SelfReportLevel", "None")]).Build();
        await using (var app = new Application(configuration))
            app.Log(0, 1);
        Expect.Equal(1, ground.Lines("app.log").Length);
    }

    private static async Task PathTokens(Ground ground)
    {
        Environment.SetEnvironmentVariable("PROBE_NAME", "value");
        await using (var app = ground.LogTo("{MachineName}-{ProcessId}-%PROBE_NAME%.log"))
            app.Log(0, 1);
        var machine = string.Concat(Environment.MachineName.Select(static letter => char.IsAsciiLetterOrDigit(letter) || letter is '.' or '-' ? letter : '_'));
        Expect.Lines([FormattableString.Invariant($"{machine}-{Environment.ProcessId}-value.log")], ground.Names());
    }

    private static Task Strict(Ground ground)
    {
        var configuration = Settings("AsyncFile", ("Path", ground.File("app.log")), ("FileSizeLimt", "1MB"), (":AsyncLog:Strict", "true"));
        try
        {
            _ = new Application(configuration);
        }
        catch (OptionsValidationException exception)
        {
            Expect.Contains("FileSizeLimt", exception.Message);
            return Task.CompletedTask;
        }

        throw new CheckException("it started");
    }

    private static async Task Health(Ground ground)
    {
        Directory.CreateDirectory(ground.File("app.log"));
        await using var app = ground.LogTo("app.log");
        var health = app.Services.GetRequiredService<HealthCheckService>();
        app.Log(0, 1);
        await Eventually.Holds(async () => (await health.CheckHealthAsync()).Status != HealthStatus.Healthy);
        await using var good = ground.LogTo("good.log");
        good.Log(0, 1);
        await good.Flush();
        Expect.Equal(HealthStatus.Healthy, (await good.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync()).Status);
    }

    private static async Task Balance(Ground ground)
    {
        const int records = 5_000;
        Directory.CreateDirectory(ground.File("app.log"));
        await using var app = ground.LogTo("app.log", ("MaxQueueLength", "1000"), ("GapNotices", "false"));
        app.Log(0, records);
        var full = app.Status;
        Expect.Equal(records, full.Offered);
        Expect.Equal(records, full.Dropped + full.QueueSize + full.InFlight);
        Directory.Delete(ground.File("app.log"));
        await app.Flush();
        var status = app.Status;
        Expect.Equal(records, status.Written + status.Dropped);
        Expect.True(status.Dropped > 0);
        Expect.Equal(status.Written, ground.Lines("app.log").Length);
    }

    private static async Task WaitMode(Ground ground)
    {
        const int records = 20_000;
        await using (var app = ground.LogTo("app.log", ("MaxQueueLength", "100"), ("QueueFullMode", "Wait"), ("WaitTimeout", "30s")))
            app.Log(0, records);
        Expect.Lines(Messages(0, records), ground.Lines("app.log"));
    }

    private static async Task Meter(Ground ground)
    {
        long written = 0;
        using var listener = new MeterListener();
        listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument is { Meter.Name: "AsyncLog", Name: "asynclog.sink.written" })
                listener.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((_, value, _, _) => written = value);
        listener.Start();
        await using var app = new Application(Settings("AsyncFile", ("Path", ground.File("app.log"))), static services => services.AddMetrics());
        app.Log(0, 10);
        await app.Flush();
        await Eventually.Holds(() =>
        {
            listener.RecordObservableInstruments();
            return written == 10;
        });
    }

    private static Task Bootstrap(Ground ground)
    {
        var settings = Settings("AsyncFile", ("Path", ground.File("app.log")), ("Template", "{Message}{NewLine}"));
        using (var startup = AsyncLogBootstrap.Create(settings, static logging => logging.AddAsyncFile()))
            startup.CreateLogger("Startup").LogInformation("record {Number}.", 0);
        Expect.Lines(Messages(0, 1), ground.Lines("app.log"));
        return Task.CompletedTask;
    }

    private static Application FromFile(Ground ground, string log, string level)
    {
        WriteSettings(ground, log, level);
        return new Application(new ConfigurationBuilder().AddJsonFile(ground.File("settings.json"), optional: false, reloadOnChange: true).Build());
    }

    // Replaced, not written over: nobody reads half of it.
    private static void WriteSettings(Ground ground, string log, string level)
    {
        var path = System.Text.Json.JsonEncodedText.Encode(ground.File(log));
        File.WriteAllText(ground.File("settings.new"), $$"""
            {
              "AsyncLog": { "StartupReport": false, "SelfReportLevel": "None" },
              "Logging": { "AsyncFile": { "Path": "{{path}}", "Template": "{Message}{NewLine}", "LogLevel": { "Default": "{{level}}" } } }
            }
            """);
        File.Move(ground.File("settings.new"), ground.File("settings.json"), overwrite: true);
    }
}
