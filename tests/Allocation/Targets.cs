using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Makes the container of a path.</summary>
internal static class Targets
{
    private const string WithScopes = "{Timestamp:yyyy-MM-dd HH:mm:ss.fff zzz} [{Level:u3}] {TraceId} {Category}: {Message}{Scopes}{NewLine}{Exception}";

    public static ServiceProvider Create(TargetKind kind, string file, int port)
        => new ServiceCollection()
            .Configure<AsyncLogOptions>(static options => options.StartupReport = false)
            // as the host sets it: with an activity there is a scope of its ids
            .Configure<LoggerFactoryOptions>(static options => options.ActivityTrackingOptions = ActivityTrackingOptions.SpanId | ActivityTrackingOptions.TraceId | ActivityTrackingOptions.ParentId)
            .AddLogging(logging => Register(logging, kind, file, port))
            .BuildServiceProvider();

    private static void Register(ILoggingBuilder logging, TargetKind kind, string file, int port)
    {
        logging.SetMinimumLevel(LogLevel.Information);
        switch (kind)
        {
            case TargetKind.Nothing:
                logging.AddProvider(new NothingProvider());
                break;
            case TargetKind.Formatted:
                logging.AddProvider(new NothingProvider(withMessage: true));
                break;
            case TargetKind.Blocked:
                logging.AddSink<BlockedLoggerProvider, BlockedOptions>(new BlockedDefinition(), Smallest);
                break;
            case TargetKind.Syslog or TargetKind.SyslogStream:
                logging.AddAsyncSyslog(options => ToReceiver(options, kind, port));
                break;
            case TargetKind.Otlp:
                logging.AddAsyncOtlp(options => ToCollector(options, port));
                break;
            default:
                logging.AddAsyncFile(options => ToFile(options, kind, file));
                break;
        }
    }

    private static void ToFile(AsyncFileLoggerOptions options, TargetKind kind, string file)
    {
        options.Path = file;
        options.RollingInterval = RollingInterval.None;
        options.FileSizeLimit = null;
        options.RetainedFileCountLimit = null;
        options.Format = kind is TargetKind.Json or TargetKind.Clef ? kind.ToString() : "Text";
        if (kind == TargetKind.Clef)
            options.Properties["site"] = "main";
        // so few segments that the flood of the warm-up makes them all
        options.MaxQueueMemory = PathRun.QueueMemory;
        options.AcknowledgeLevel = kind == TargetKind.Acknowledged ? LogLevel.Information : LogLevel.None;
        options.Template = kind == TargetKind.TextWithScopes ? WithScopes : null;
    }

    private static void ToReceiver(AsyncSyslogLoggerOptions options, TargetKind kind, int port)
    {
        options.Endpoint = new Uri(string.Create(CultureInfo.InvariantCulture, $"{(kind == TargetKind.Syslog ? "udp" : "tcp")}://127.0.0.1:{port}"));
        // the number for documentation would be warned about
        options.EnterpriseNumber = "32473.1";
        options.MaxQueueMemory = PathRun.QueueMemory;
    }

    private static void ToCollector(AsyncOtlpLoggerOptions options, int port)
    {
        options.Endpoint = new Uri(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}"));
        options.MaxQueueMemory = PathRun.QueueMemory;
    }

    private static void Smallest(BlockedOptions options)
    {
        options.MaxQueueLength = 1_000;
        options.ShutdownTimeout = TimeSpan.Zero;
    }
}
