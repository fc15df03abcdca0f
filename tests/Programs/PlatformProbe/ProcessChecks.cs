using AsyncLog.Tests;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using static AsyncLog.PlatformProbe.Application;

namespace AsyncLog.PlatformProbe;

/// <summary>The end of a process.</summary>
internal static class ProcessChecks
{
    private const string Area = "process";

    public static readonly Check[] All =
    [
        new(Area, "a container that is disposed has written everything", Disposed),
        new(Area, "a host that is stopped has written everything", Hosted),
        new(Area, "a Main that returns without disposing has written everything", Returned),
        new(Area, "after Environment.Exit everything is written", Exit),
        new(Area, "after an unhandled exception everything is written, and the exception", Unhandled),
        new(Area, "after SIGTERM everything is written", Terminated, Need.Unix),
        new(Area, "after Ctrl+C (SIGINT) everything is written", Interrupted, Need.Unix),
        new(Area, "after a kill the lines are whole and without a gap, and the next start appends", Killed),
    ];

    private static async Task Disposed(Ground ground)
    {
        using var child = Writer("dispose", 5_000, ground);
        Expect.Equal(0, await child.Ended());
        Expect.Lines(Messages(0, 5_000), ground.Lines("app.log"));
    }

    private static async Task Hosted(Ground ground)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Configuration.AddConfiguration(Settings("AsyncFile", ("Path", ground.File("app.log")), ("Template", "{Message}{NewLine}"), ("LogLevel:Microsoft", "None")));
        builder.Logging.ClearProviders().AddAsyncFile();
        using (var host = builder.Build())
        {
            await host.StartAsync();
            var logger = (ILogger<Application>)host.Services.GetService(typeof(ILogger<Application>))!;
            for (var number = 0; number < 1_000; number++)
                logger.LogInformation("record {Number}.", number);
            await host.StopAsync();
        }

        Expect.Lines(Messages(0, 1_000), ground.Lines("app.log"));
    }

    private static async Task Returned(Ground ground)
    {
        using var child = Writer("return", 5_000, ground);
        Expect.Equal(0, await child.Ended());
        Expect.Lines(Messages(0, 5_000), ground.Lines("app.log"));
    }

    private static async Task Exit(Ground ground)
    {
        using var child = Writer("exit", 5_000, ground);
        Expect.Equal(3, await child.Ended());
        Expect.Lines(Messages(0, 5_000), ground.Lines("app.log"));
    }

    private static async Task Unhandled(Ground ground)
    {
        using var child = Writer("throw", 5_000, ground, ("Logging:AsyncFile:Template", "{Message}{NewLine}{Exception}"));
        Expect.True(await child.Ended() != 0);
        var lines = ground.Lines("app.log");
        Expect.Lines(Messages(0, 5_000), lines.Take(5_000));
        Expect.Contains("thrown by the probe", string.Join(" | ", lines.Skip(5_000)));
    }

    private static Task Terminated(Ground ground) => Signaled(ground, "TERM");

    private static Task Interrupted(Ground ground) => Signaled(ground, "INT");

    private static async Task Signaled(Ground ground, string signal)
    {
        using var child = Writer("stay", 5_000, ground);
        await Eventually.Holds(() => child.Output.Contains("ready"), () => child.Printed);
        child.Signal(signal);
        await child.Ended();
        Expect.Lines(Messages(0, 5_000), ground.Lines("app.log"));
    }

    private static async Task Killed(Ground ground)
    {
        using (var child = Writer("endless", 0, ground))
        {
            await Eventually.Holds(() => ground.Lines("app.log").Length > 2_000, () => child.Printed);
            await child.Kill();
        }

        var before = ground.Read("app.log");
        var lines = Ground.LinesOf(before);
        var whole = before[^1] == '\n' ? lines : lines[..^1];
        Expect.Lines(Messages(0, whole.Length), whole);
        await using (var app = ground.LogTo("app.log"))
            app.Log(0, 1);
        Expect.Lines(lines.Append("record 0."), ground.Lines("app.log"));
    }

    // Of one key the last value counts.
    private static Child Writer(string role, int count, Ground ground, params ReadOnlySpan<(string Key, string Value)> options) => new Child(
        role,
        count,
        [
            ("Logging:AsyncFile:Path", ground.File("app.log")), ("Logging:AsyncFile:Template", "{Message}{NewLine}"), ("Logging:AsyncFile:QueueFullMode", "Wait"),
            ("Logging:AsyncFile:WaitTimeout", "30s"), ("Logging:AsyncFile:FileSizeLimit", ""), .. options,
        ]).Listen();
}
