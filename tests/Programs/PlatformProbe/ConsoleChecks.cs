using System.Diagnostics;
using static AsyncLog.PlatformProbe.Application;

namespace AsyncLog.PlatformProbe;

/// <summary>Standard output and standard error, of child processes.</summary>
internal static class ConsoleChecks
{
    private const string Area = "console";
    private const string Section = "Logging:AsyncConsole:";

    public static readonly Check[] All =
    [
        new(Area, "a pipe gets every line in order", Pipe),
        new(Area, "a slow reader of a pipe gets every line", SlowReader),
        new(Area, "a file gets every line", RedirectedToFile),
        new(Area, "text of any script arrives, and from ErrorLevel on at standard error", Levels),
        new(Area, "JSON lines parse", Json),
        new(Area, "a reader that goes away neither stops nor ends the process", ReaderGone),
        new(Area, "colors are written only when asked for", Colors),
    ];

    private static async Task Pipe(Ground ground)
    {
        using var child = Writer("dispose", 10_000).Listen();
        Expect.Equal(0, await child.Ended());
        Expect.Lines(Messages(0, 10_000), child.Output);
    }

    private static async Task SlowReader(Ground ground)
    {
        using var child = Writer("dispose", 10_000, (Section + "ShutdownTimeout", "30s"));
        // The pipe is full long before this reader begins.
        await Task.Delay(TimeSpan.FromSeconds(2));
        child.Listen();
        Expect.Equal(0, await child.Ended());
        Expect.Lines(Messages(0, 10_000), child.Output);
    }

    private static async Task RedirectedToFile(Ground ground)
    {
        var command = string.Join(' ', Child.CommandOf("dispose", 10_000, Settings).Select(static word => $"\"{word}\"")) + $" > \"{ground.File("out.log")}\"";
        var start = OperatingSystem.IsWindows()
            ? new ProcessStartInfo("cmd.exe") { Arguments = $"/s /c \"{command}\"" }
            : new ProcessStartInfo("/bin/sh", ["-c", command]);
        using var shell = Process.Start(start)!;
        await shell.WaitForExitAsync();
        Expect.Equal(0, shell.ExitCode);
        Expect.Lines(Messages(0, 10_000), ground.Lines("out.log"));
    }

    private static async Task Levels(Ground ground)
    {
        using var child = Writer("levels", 0, (Section + "ErrorLevel", "Error")).Listen();
        Expect.Equal(0, await child.Ended());
        Expect.Lines(["for standard output: Grüße, 你好, 😀"], child.Output);
        Expect.Lines(["for standard error"], child.Errors.Where(static line => line.StartsWith("for", StringComparison.Ordinal)));
    }

    private static async Task Json(Ground ground)
    {
        using var child = Writer("dispose", 100, (Section + "Format", "Json"), (Section + "Template", "")).Listen();
        Expect.Equal(0, await child.Ended());
        Expect.Equal(100, child.Output.Count);
        foreach (var line in child.Output)
            System.Text.Json.JsonDocument.Parse(line).Dispose();
    }

    private static async Task ReaderGone(Ground ground)
    {
        using var child = Writer("dispose", 50_000, ("Logging:AsyncFile:Path", ground.File("app.log")), ("Logging:AsyncFile:Template", "{Message}{NewLine}"), (Section + "ShutdownTimeout", "1s"));
        child.CloseOutput();
        Expect.Equal(0, await child.Ended());
        Expect.Lines(Messages(0, 50_000), ground.Lines("app.log"));
    }

    private static async Task Colors(Ground ground)
    {
        using var plain = Writer("levels", 0, (Section + "Template", "{Level:u3}{NewLine}")).Listen();
        using var colored = Writer("levels", 0, (Section + "Template", "{Level:u3}{NewLine}"), (Section + "Color", "Always")).Listen();
        Expect.Equal(0, await plain.Ended());
        Expect.Equal(0, await colored.Ended());
        Expect.Lines(["INF", "ERR"], plain.Output);
        Expect.True(colored.Output.All(static line => line.Contains("\u001b[", StringComparison.Ordinal)), () => colored.Printed);
    }

    private static (string Key, string Value)[] Settings =>
        [(Section + "Template", "{Message}{NewLine}"), (Section + "QueueFullMode", "Wait"), (Section + "WaitTimeout", "30s"), (Section + "Color", "Auto")];

    // Of one key the last value counts.
    private static Child Writer(string role, int count, params ReadOnlySpan<(string Key, string Value)> options) => new(role, count, [.. Settings, .. options]);
}
