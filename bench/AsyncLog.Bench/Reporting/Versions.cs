using System.ComponentModel;
using System.Diagnostics;
using System.Reflection;

namespace AsyncLog.Bench;

/// <summary>What was measured against what.</summary>
internal static class Versions
{

    /// <summary>The commit that AsyncLog was built from, and whether the sources differ from it now.</summary>
    public static string Commit()
    {
        if (Informational(typeof(AsyncFileLoggerOptions)).Split('+') is not [_, var commit])
            return "unknown commit";
        var changed = Output("git", ["-C", Repository.Root, "diff", "--name-only", commit, "--", "src", "bench"]);
        var added = Output("git", ["-C", Repository.Root, "ls-files", "--others", "--exclude-standard", "--", "src", "bench"]);
        return commit[..Math.Min(commit.Length, 10)] + (changed is null || added is null ? ", sources not found" : changed.Count + added.Count > 0 ? ", sources differ" : "");
    }

    public static IEnumerable<string> All() =>
        from type in (Type[])
        [
            typeof(AsyncFileLoggerOptions), typeof(Microsoft.Extensions.Logging.LoggerFactory), typeof(Microsoft.Extensions.Logging.Console.ConsoleLoggerOptions),
            typeof(NLog.LogFactory), typeof(NLog.Extensions.Logging.NLogProviderOptions), typeof(Serilog.Log), typeof(Serilog.Extensions.Logging.SerilogLoggerProvider),
            typeof(Serilog.Sinks.Async.IAsyncLogEventSinkMonitor), typeof(Serilog.Sinks.File.FileSink), typeof(OpenTelemetry.BaseProcessor<>),
            typeof(ZLogger.ZLoggerOptions),
        ]
        select $"{type.Assembly.GetName().Name} {Informational(type).Split('+')[0]}";

    private static string Informational(Type type) => type.Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "?";

    // the lines of a program that ended well
    private static IReadOnlyList<string>? Output(string program, IEnumerable<string> arguments)
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
            var lines = process.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
            process.WaitForExit();
            return process.ExitCode == 0 ? lines : null;
        }
        catch (Win32Exception)
        {
            return null;
        }
    }
}
