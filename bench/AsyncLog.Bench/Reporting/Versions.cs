using System.ComponentModel;
using System.Diagnostics;
using System.Reflection;

namespace AsyncLog.Bench;

/// <summary>What was measured against what.</summary>
internal static class Versions
{
    private static readonly string[] DebianPackages = ["libspdlog-dev", "libfmt-dev", "liblog4j2-java", "libdisruptor-java", "default-jdk-headless", "g++", "wrk"];

    public static IEnumerable<string> All() => [.. Managed(), .. Debian()];

    /// <summary>The commit that AsyncLog was built from, and whether the sources differ from it now.</summary>
    public static string Commit()
    {
        if (Informational(typeof(AsyncFileLoggerOptions)).Split('+') is not [_, var commit])
            return "unknown commit";
        var changed = Output("git", ["-C", Repository.Root, "diff", "--name-only", commit, "--", "src", "bench"]);
        var added = Output("git", ["-C", Repository.Root, "ls-files", "--others", "--exclude-standard", "--", "src", "bench"]);
        return commit[..Math.Min(commit.Length, 10)] + (changed is null || added is null ? ", sources not found" : changed.Count + added.Count > 0 ? ", sources differ" : "");
    }

    private static IEnumerable<string> Managed() =>
        from type in (Type[])
        [
            typeof(AsyncFileLoggerOptions), typeof(Microsoft.Extensions.Logging.LoggerFactory), typeof(Microsoft.Extensions.Logging.Console.ConsoleLoggerOptions),
            typeof(NLog.LogFactory), typeof(NLog.Extensions.Logging.NLogProviderOptions), typeof(Serilog.Log), typeof(Serilog.Extensions.Logging.SerilogLoggerProvider),
            typeof(Serilog.Sinks.Async.IAsyncLogEventSinkMonitor), typeof(Serilog.Sinks.File.FileSink), typeof(Serilog.ConsoleLoggerConfigurationExtensions), typeof(OpenTelemetry.BaseProcessor<>),
            typeof(ZLogger.ZLoggerOptions),
        ]
        select $"{type.Assembly.GetName().Name} {Informational(type).Split('+')[0]}";

    private static IReadOnlyList<string> Debian()
        => Output("dpkg-query", ["-W", "-f", "${Package} ${Version}\n", .. DebianPackages]) ?? ["no Debian packages"];

    private static string Informational(Type type) => type.Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "?";

    // the lines of a program that ended well; packages that are missing are an error to dpkg-query, which lists the others
    private static IReadOnlyList<string>? Output(string program, IEnumerable<string> arguments)
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
            var lines = process.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
            process.WaitForExit();
            return process.ExitCode == 0 || lines.Length > 0 ? lines : null;
        }
        catch (Win32Exception)
        {
            return null;
        }
    }
}
