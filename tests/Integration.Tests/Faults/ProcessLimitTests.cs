using System.Globalization;
using AsyncLog.Tests.Support;

namespace AsyncLog.Tests.Faults;

/// <summary>Limits of the process, set while it runs.</summary>
[Trait("Category", "system")]
public sealed class ProcessLimitTests
{
    [Fact]
    public async Task The_file_size_limit_of_the_process_rolls_once_and_then_degrades()
    {
        await Shell.Needs("prlimit");
        using var folder = new TempFolder();

        // The signal that comes with the limit ends a process that does not ignore it; the runtime does not start below the limit.
        string[] launcher = ["/bin/sh", "-c", "trap '' XFSZ; export DOTNET_EnableWriteXorExecute=0; exec \"$@\"", "sh"];
        using var victim = await new VictimProcess(
            folder.Path, launcher, ("Path", folder.File("logs", "shop.log")), ("RollingInterval", "None"), ("AsyncLog:StartupReport", "false")).Ready();
        await victim.Do("log 10 Information 1000");
        Assert.True(await victim.Flush());
        await Shell.Run("prlimit", "--pid", victim.Program.Id.ToString(CultureInfo.InvariantCulture), "--fsize=32768:unlimited");

        await victim.Do("log 25 Information 1000");
        Assert.True(await victim.Flush());
        Assert.Equal(2, Directory.GetFiles(folder.File("logs")).Length);

        // More than a whole new file holds: once it rolls, then it waits.
        await victim.Do("log 50 Information 1000");
        var stuck = await victim.Status(static status => status is { Reason: "file_too_large", State: "Degraded" });
        stuck.AssertCountersAddUp(85);
        await Shell.Run("prlimit", "--pid", victim.Program.Id.ToString(CultureInfo.InvariantCulture), "--fsize=unlimited:unlimited");
        Assert.True(await victim.Flush());
        var lines = Directory.GetFiles(folder.File("logs")).Order(StringComparer.Ordinal).SelectMany(File.ReadAllLines).ToArray();

        // A record that the limit cut in two is whole in the next file: its first half, the last line of a file, is the only torn one there may be.
        var files = Directory.GetFiles(folder.File("logs")).Select(File.ReadAllLines).ToArray();
        Assert.NotEmpty(files);
        Assert.All(files, static file => Assert.Empty(StormLine.Torn(file.SkipLast(1))));
        Assert.DoesNotContain(
            StormLine.Torn(lines), torn => !Array.Exists(lines, line => line.Length > torn.Length && line.StartsWith(torn, StringComparison.Ordinal)));
        Assert.Equal(Enumerable.Range(1, 85).Select(static number => (long)number), StormLine.Numbers(lines, 0).Order());
    }
}
