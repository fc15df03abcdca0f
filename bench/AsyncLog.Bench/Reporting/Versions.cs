using System.ComponentModel;
using System.Diagnostics;
using System.Reflection;

namespace AsyncLog.Bench;

/// <summary>What was measured against what.</summary>
internal static class Versions
{
    private static readonly string[] DebianPackages = ["libspdlog-dev", "libfmt-dev", "liblog4j2-java", "libdisruptor-java", "default-jdk-headless", "g++", "wrk"];

    public static IEnumerable<string> All() => [.. Managed(), .. Debian()];

    private static IEnumerable<string> Managed() =>
        from type in (Type[])
        [
            typeof(AsyncFileOptions), typeof(Microsoft.Extensions.Logging.LoggerFactory), typeof(Microsoft.Extensions.Logging.Console.ConsoleLoggerOptions),
            typeof(NLog.LogFactory), typeof(NLog.Extensions.Logging.NLogProviderOptions), typeof(Serilog.Log), typeof(Serilog.Extensions.Logging.SerilogLoggerProvider),
            typeof(Serilog.Sinks.Async.IAsyncLogEventSinkMonitor), typeof(Serilog.Sinks.File.FileSink), typeof(OpenTelemetry.BaseProcessor<>),
        ]
        let version = type.Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "?"
        select $"{type.Assembly.GetName().Name} {version.Split('+')[0]}";

    private static IEnumerable<string> Debian()
    {
        try
        {
            using var query = Process.Start(new ProcessStartInfo("dpkg-query", ["-W", "-f", "${Package} ${Version}\n", .. DebianPackages]) { RedirectStandardOutput = true, RedirectStandardError = true })!;
            var lines = query.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
            query.WaitForExit();
            return lines;
        }
        catch (Win32Exception exception)
        {
            return ["no Debian packages: " + exception.Message];
        }
    }
}
