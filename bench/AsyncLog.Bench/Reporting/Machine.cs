using System.Globalization;
using System.Runtime.InteropServices;

namespace AsyncLog.Bench;

/// <summary>The line that says on what the numbers were made.</summary>
internal static class Machine
{
    public static string Describe(string directory, bool serverGc) => string.Create(
        CultureInfo.InvariantCulture,
        $"machine: {Processor()}, {Environment.ProcessorCount} cores, {GC.GetGCMemoryInfo().TotalAvailableMemoryBytes >> 30} GB, {RuntimeInformation.OSDescription}, "
        + $".NET {Environment.Version} {RuntimeInformation.ProcessArchitecture}, {(serverGc ? "server" : "workstation concurrent")} GC, "
        + $"{new DriveInfo(directory).DriveFormat} at {directory}, load {Load()}, {DateTimeOffset.UtcNow:yyyy-MM-dd HH:mm}Z, command: {Environment.CommandLine}");

    private static string Processor()
        => First("/proc/cpuinfo", "model name") is { } line ? line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim() : "unknown processor";

    private static string Load() => First("/proc/loadavg", "") is { } line ? line.Split(' ')[0] : "unknown";

    private static string? First(string file, string start)
        => File.Exists(file) ? File.ReadLines(file).FirstOrDefault(line => line.StartsWith(start, StringComparison.Ordinal)) : null;
}
