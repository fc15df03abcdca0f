using AsyncLog.Tests;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using static AsyncLog.PlatformProbe.Application;

namespace AsyncLog.PlatformProbe;

/// <summary>What others do to a file, several writers, and paths that cannot be written.</summary>
internal static class FileTroubleChecks
{
    private const string Area = "file trouble";

    public static readonly Check[] All =
    [
        new(Area, "a file that is renamed keeps its records, and a new one begins", Renamed),
        new(Area, "a file that is deleted is created again", Deleted),
        new(Area, "a file that is replaced under its name is followed", Replaced),
        new(Area, "a file that is replaced by an old one with the same times is followed", ReplacedWithSameTimes),
        new(Area, "a file that is emptied has no gap of zeros", Emptied),
        new(Area, "a directory that is removed is created again", DirectoryRemoved, Need.RemovableDirectories),
        new(Area, "ReopenAsync follows a renamed file at once", Reopen),
        new(Area, "SIGHUP follows a renamed file at once", ReopenSignal, Need.Unix),
        new(Area, "of two processes on one file every line appears once", TwoProcesses, Need.AtomicAppends),
        new(Area, "the roll of another process is followed", RollOfAnother),
        new(Area, "two loggers of one process on one file do not overwrite each other", TwoLoggers),
        new(Area, "after half a line a new line begins", TornTail),
        new(Area, "a link at the path is refused and its target stays", LinkRefused, Need.Links),
        new(Area, "records wait while a directory is at the path", DirectoryAtPath),
        new(Area, "records wait while a part of the path is a file", FileInPath),
        new(Area, "records wait while the file is read-only", ReadOnlyFile, Need.Permissions),
        new(Area, "records wait while another program does not share the file", NotShared, Need.Windows),
        new(Area, "a path with a character that the system refuses stops the start", BadCharacter, Need.Windows),
        new(Area, "a path that ends with a dot or a space stops the start", TrailingDot, Need.Windows),
        new(Area, "two instances whose paths differ in case stop the start", OneFileInTwoCases, Need.OneCase),
        new(Area, "the free space of the disk is known", FreeSpace),
    ];

    private static async Task Renamed(Ground ground)
    {
        await using var app = ground.LogTo("app.log");
        app.Log(0, 10);
        await app.Flush();
        File.Move(ground.File("app.log"), ground.File("moved.log"));
        var next = await LogUntilThere(app, ground, 10);
        Expect.Lines(Messages(0, next), ground.Lines("moved.log").Concat(ground.Lines("app.log")));
    }

    private static async Task Deleted(Ground ground)
    {
        await using var app = ground.LogTo("app.log");
        app.Log(0, 10);
        await app.Flush();
        File.Delete(ground.File("app.log"));
        var next = await LogUntilThere(app, ground, 10);
        var lines = ground.Lines("app.log");
        Expect.Lines(Messages(next - lines.Length, lines.Length), lines);
    }

    private static async Task Replaced(Ground ground)
    {
        await using var app = ground.LogTo("app.log");
        app.Log(0, 10);
        await app.Flush();
        File.Move(ground.File("app.log"), ground.File("moved.log"));
        await File.WriteAllTextAsync(ground.File("app.log"), "of another program\n");
        var next = await LogUntilThere(app, ground, 10, lines: 2);
        Expect.Equal("of another program", ground.Lines("app.log")[0]);
        Expect.Lines(Messages(0, next), ground.Lines("moved.log").Concat(ground.Lines("app.log").Skip(1)));
    }

    // As NTFS does with a name that is used again within 15 s.
    private static async Task ReplacedWithSameTimes(Ground ground)
    {
        await using var app = ground.LogTo("app.log");
        app.Log(0, 10);
        await app.Flush();
        await File.WriteAllTextAsync(ground.File("new.log"), "of another program\n");
        var created = File.GetCreationTimeUtc(ground.File("app.log"));
        File.Move(ground.File("app.log"), ground.File("moved.log"));
        File.Move(ground.File("new.log"), ground.File("app.log"));
        File.SetCreationTimeUtc(ground.File("app.log"), created);
        var next = await LogUntilThere(app, ground, 10, lines: 2);
        Expect.Lines(Messages(0, next), ground.Lines("moved.log").Concat(ground.Lines("app.log").Skip(1)));
    }

    private static async Task Emptied(Ground ground)
    {
        await using var app = ground.LogTo("app.log");
        app.Log(0, 100);
        await app.Flush();
        await using (var file = new FileStream(ground.File("app.log"), FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete))
            file.SetLength(0);
        app.Log(100, 10);
        await app.Flush();
        Expect.Lines(Messages(100, 10), ground.Lines("app.log"));
    }

    private static async Task DirectoryRemoved(Ground ground)
    {
        await using var app = ground.LogTo(Path.Combine("logs", "app.log"));
        app.Log(0, 10);
        await app.Flush();
        Directory.Delete(ground.File("logs"), recursive: true);
        var next = 10;
        await Eventually.Holds(async () =>
        {
            app.Log(next++, 1);
            await app.Flush();
            return File.Exists(ground.File("logs", "app.log"));
        });
    }

    private static async Task Reopen(Ground ground)
    {
        await using var app = ground.LogTo("app.log", ("ReopenWhenMoved", "false"));
        app.Log(0, 10);
        await app.Flush();
        File.Move(ground.File("app.log"), ground.File("moved.log"));
        Expect.True(await app.Services.GetRequiredService<IAsyncFileControl>().ReopenAsync());
        app.Log(10, 10);
        await app.Flush();
        Expect.Lines(Messages(0, 10), ground.Lines("moved.log"));
        Expect.Lines(Messages(10, 10), ground.Lines("app.log"));
    }

    private static async Task ReopenSignal(Ground ground)
    {
        await using var app = ground.LogTo("app.log", ("ReopenWhenMoved", "false"), ("ReopenSignal", "SIGHUP"));
        app.Log(0, 10);
        await app.Flush();
        File.Move(ground.File("app.log"), ground.File("moved.log"));
        Child.Send("HUP", Environment.ProcessId);
        await Eventually.Holds(() => File.Exists(ground.File("app.log")));
        app.Log(10, 10);
        await app.Flush();
        Expect.Lines(Messages(0, 10), ground.Lines("moved.log"));
        Expect.Lines(Messages(10, 10), ground.Lines("app.log"));
    }

    private static async Task TwoProcesses(Ground ground)
    {
        const int records = 5_000;
        (string, string)[] options = [("QueueFullMode", "Wait"), ("WaitTimeout", "30s")];
        using var child = Writer("dispose", records, ground).Listen();
        await using (var app = ground.LogTo("app.log", options))
            app.Log(0, records);
        Expect.Equal(0, await child.Ended());
        Expect.Lines(Messages(0, records).Concat(Messages(0, records)).Order(StringComparer.Ordinal), ground.Lines("app.log").Order(StringComparer.Ordinal));
    }

    private static async Task RollOfAnother(Ground ground)
    {
        const int records = 50;
        await using var app = ground.LogTo("app.log");
        app.Log(0, 10);
        await app.Flush();
        using var child = Writer("roll", records, ground).Listen();
        Expect.Equal(0, await child.Ended());
        var next = 10;
        await Eventually.Holds(async () =>
        {
            app.Log(next++, 1);
            await app.Flush();
            return ground.Lines("app.log").Length > records;
        });
        Expect.Equal(2, ground.Names().Count);
        Expect.Lines(Messages(0, next).Concat(Messages(0, 2 * records)).Order(StringComparer.Ordinal), FileChecks.AllLines(ground).Order(StringComparer.Ordinal));
    }

    private static async Task TwoLoggers(Ground ground)
    {
        await using (var first = ground.LogTo("app.log"))
        await using (var second = ground.LogTo("app.log"))
        {
            for (var number = 0; number < 100; number += 2)
            {
                first.Log(number, 1);
                await first.Flush();
                second.Log(number + 1, 1);
                await second.Flush();
            }
        }

        Expect.Lines(Messages(0, 100), ground.Lines("app.log"));
    }

    private static async Task TornTail(Ground ground)
    {
        await File.WriteAllTextAsync(ground.File("app.log"), "whole\nhalf a li");
        await using (var app = ground.LogTo("app.log"))
            app.Log(0, 2);
        Expect.Lines(["whole", "half a li", "record 0.", "record 1."], ground.Lines("app.log"));
    }

    private static async Task LinkRefused(Ground ground)
    {
        await File.WriteAllTextAsync(ground.File("target.log"), "");
        File.CreateSymbolicLink(ground.File("app.log"), ground.File("target.log"));
        await using (var app = ground.LogTo("app.log", ("ShutdownTimeout", "10s")))
        {
            app.Log(0, 10);
            await Fails(app, "symlink");
            Expect.Equal(0, ground.Read("target.log").Length);
            File.Delete(ground.File("app.log"));
            await app.Flush();
        }

        Expect.Lines(Messages(0, 10), ground.Lines("app.log"));
    }

    private static async Task DirectoryAtPath(Ground ground)
    {
        Directory.CreateDirectory(ground.File("app.log"));
        await using var app = ground.LogTo("app.log");
        app.Log(0, 10);
        await Fails(app, "not_a_file");
        Directory.Delete(ground.File("app.log"));
        await app.Flush();
        Expect.Lines(Messages(0, 10), ground.Lines("app.log"));
        Expect.Equal(0, app.Status.Dropped);
    }

    private static async Task FileInPath(Ground ground)
    {
        await File.WriteAllTextAsync(ground.File("logs"), "");
        await using var app = ground.LogTo(Path.Combine("logs", "app.log"));
        app.Log(0, 10);
        await Fails(app, "not_a_directory");
        File.Delete(ground.File("logs"));
        await app.Flush();
        Expect.Lines(Messages(0, 10), ground.Lines("logs", "app.log"));
    }

    private static async Task ReadOnlyFile(Ground ground)
    {
        await File.WriteAllTextAsync(ground.File("app.log"), "");
        File.SetAttributes(ground.File("app.log"), FileAttributes.ReadOnly);
        await using var app = ground.LogTo("app.log");
        app.Log(0, 10);
        await Fails(app, "permission");
        File.SetAttributes(ground.File("app.log"), FileAttributes.Normal);
        await app.Flush();
        Expect.Lines(Messages(0, 10), ground.Lines("app.log"));
    }

    private static async Task NotShared(Ground ground)
    {
        var holder = new FileStream(ground.File("app.log"), FileMode.Create, FileAccess.ReadWrite, FileShare.None);
        await using var app = ground.LogTo("app.log");
        app.Log(0, 10);
        await Fails(app, "in_use");
        Expect.Contains("another program has it open", app.Status.LastErrorMessage!);
        await holder.DisposeAsync();
        await app.Flush();
        Expect.Lines(Messages(0, 10), ground.Lines("app.log"));
    }

    private static Task BadCharacter(Ground ground)
    {
        foreach (var character in "?*<>|\"")
            StopsTheStart($"must not contain {character}", ("Path", ground.File($"a{character}b.log")));
        StopsTheStart("must not contain :", ("Path", ground.File("app.log:stream")));
        return Task.CompletedTask;
    }

    private static Task TrailingDot(Ground ground)
    {
        StopsTheStart("no name may end with a dot or a space", ("Path", ground.File("app.log.")));
        StopsTheStart("no name may end with a dot or a space", ("Path", ground.File("logs ", "app.log")));
        return Task.CompletedTask;
    }

    private static Task OneFileInTwoCases(Ground ground)
    {
        StopsTheStart("writes to the same", ("Path", ground.File("app.log")), ("Files:other:Path", ground.File("APP.log")));
        return Task.CompletedTask;
    }

    private static async Task FreeSpace(Ground ground)
    {
        await using var app = ground.LogTo("app.log");
        app.Log(0, 10);
        await app.Flush();
        var drive = new DriveInfo(ground.Folder);
        await Eventually.Holds(
            () => app.Status.Measurements.Any(measurement => measurement.Name == "asynclog.file.filesystem.available" && measurement.Value > 0 && measurement.Value <= drive.TotalSize),
            () => string.Join(", ", app.Status.Measurements.Select(static measurement => $"{measurement.Name} {measurement.Value}")));
    }

    private static Child Writer(string role, int records, Ground ground) => new(
        role, records, ("Logging:AsyncFile:Path", ground.File("app.log")), ("Logging:AsyncFile:Template", "{Message}{NewLine}"), ("Logging:AsyncFile:QueueFullMode", "Wait"),
        ("Logging:AsyncFile:WaitTimeout", "30s"));

    // The path is looked at four times a second.
    private static async Task<int> LogUntilThere(Application app, Ground ground, int next, int lines = 1)
    {
        await Eventually.Holds(async () =>
        {
            app.Log(next++, 1);
            await app.Flush();
            return ground.Lines("app.log") is var found && found.Length >= lines && found[^1] == $"record {next - 1}.";
        });
        return next;
    }

    private static Task Fails(Application app, string errorType) =>
        Eventually.Holds(() => app.Status.LastErrorType == errorType, () => $"{app.Status.LastErrorType} is not {errorType}");

    private static void StopsTheStart(string rule, params ReadOnlySpan<(string Key, string Value)> options)
    {
        string? message = null;
        try
        {
            using var services = new Application(Settings("AsyncFile", options)).Services as IDisposable;
        }
        catch (OptionsValidationException exception)
        {
            message = exception.Message;
        }

        Expect.Contains(rule, message ?? "no message");
    }
}
