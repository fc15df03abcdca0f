using System.Collections;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

namespace AsyncLog.Bench;

/// <summary>The facts of one call of this program: what was measured, with which versions, on which machine. Taken before the first run and kept with the results.</summary>
internal static partial class Invocation
{
    /// <summary>The mode of the line that holds them.</summary>
    public const string Line = "invocation";

    public const string Commit = "commit";
    public const string Started = "started";

    /// <param name="directory">Where the log files go.</param>
    /// <param name="arguments">The command line.</param>
    public static BenchResult Begin(string directory, BenchArguments arguments)
    {
        var now = TimeProvider.System.GetUtcNow();
        var id = string.Create(CultureInfo.InvariantCulture, $"{now:yyyyMMdd-HHmmss}-{Environment.ProcessId}");
        return new BenchResult(Line, id, "", 0, new Dictionary<string, double>())
        {
            Invocation = id,
            Facts = new Dictionary<string, string>
            {
                [Started] = now.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture) + "Z",
                [Commit] = Versions.Commit(),
                ["command"] = string.Join(' ', Environment.GetCommandLineArgs().Select(WithoutFolders)),
                ["machine"] = $"{Processor()}, {Number(Environment.ProcessorCount)} cores, {Number(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes >> 30)} GB, {RuntimeInformation.OSDescription}, {new DriveInfo(directory).DriveFormat}",
                ["runtime"] = $".NET {Environment.Version} {RuntimeInformation.ProcessArchitecture}, {(arguments.Has("server-gc") ? "server" : "workstation concurrent")} GC",
                ["environment"] = string.Join(' ', Environment.GetEnvironmentVariables().Cast<DictionaryEntry>().Select(static variable => $"{variable.Key}={variable.Value}").Where(static text => text.StartsWith("DOTNET_", StringComparison.Ordinal) && !text.Contains("ROOT", StringComparison.Ordinal)).Select(WithoutFolders).Order(StringComparer.Ordinal)),
                ["load before"] = First("/proc/loadavg", "") is { } line ? line.Split(' ')[0] : "unknown",
                ["versions"] = string.Join(", ", Versions.All()),
            },
        };
    }

    /// <summary>The text with each path from the root replaced by the name at its end: the results are published.</summary>
    public static string WithoutFolders(string text) => FolderFromRoot().Replace(text, "");

    private static string Processor()
        => First("/proc/cpuinfo", "model name") is { } line ? line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim() : "unknown processor";

    private static string? First(string file, string start)
        => File.Exists(file) ? File.ReadLines(file).FirstOrDefault(line => line.StartsWith(start, StringComparison.Ordinal)) : null;

    private static string Number(long value) => value.ToString(CultureInfo.InvariantCulture);

    [GeneratedRegex(@"(?<=^|[\s=,;""'])([A-Za-z]:)?[/\\](?=\S)([^\s/\\,;]*[/\\])*", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex FolderFromRoot();
}
