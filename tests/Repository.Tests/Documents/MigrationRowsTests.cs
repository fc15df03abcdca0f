using System.Reflection;
using System.Text.RegularExpressions;
using log4net.Appender;
using log4net.Layout;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Console;
using NLog.Config;
using NLog.Targets.Wrappers;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Logs;
using Serilog;
using Serilog.Configuration;
using Serilog.Context;

namespace AsyncLog.Tests.Documents;

/// <summary>The tables of the pages on migration have a row for every name that the packages of the other library give to settings, layouts, targets and methods.</summary>
public sealed partial class MigrationRowsTests
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    // Plumbing, or names of members that every class has.
    private static readonly string[] Ignored = ["Name", "OptimizeBufferReuse", "LayoutWithLock", "CreateSink", "Wrap", "sinkConfiguration", "loggerSinkConfiguration", "WrappedTarget", "configure"];

    // Texts for tests of NLog itself, or parts of a layout that print nothing.
    private static readonly string[] IgnoredOfNLog = ["db-null", "norawvalue", "NoRawValue", "install-context", "rot13"];

    [Theory]
    [InlineData("serilog", "docs/migrate-from-serilog.md")]
    [InlineData("nlog", "docs/migrate-from-nlog.md")]
    [InlineData("log4net", "docs/migrate-from-log4net.md")]
    [InlineData("console", "docs/console.md")]
    [InlineData("opentelemetry", "docs/otlp.md")]
    public void Every_name_of_the_library_has_a_row(string library, string page)
    {
        var names = library switch
        {
            "serilog" => NamesOfSerilog(),
            "nlog" => NamesOfNLog(),
            "log4net" => NamesOfLog4Net(),
            "console" => NamesOfConsole(),
            _ => NamesOfOpenTelemetry(),
        };
        Assert.NotEmpty(names);
        var cells = FirstCell().Matches(Document.At(page).Text).SelectMany(static cell => Span().Matches(cell.Value)).SelectMany(static span => Word().Matches(span.Value)).Select(static word => word.Value)
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
        var prefixes = cells.Where(static cell => cell.EndsWith('*')).Select(static cell => cell[..^1]).Where(static prefix => prefix.Length > 0).ToList();

        Assert.Equal([], names.Where(name => !cells.Contains(name) && !prefixes.Exists(prefix => name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase))).Distinct(StringComparer.OrdinalIgnoreCase).Order(StringComparer.Ordinal));
    }

    private static string[] NamesOfSerilog() =>
    [
        .. Methods(typeof(LoggerMinimumLevelConfiguration), typeof(LoggerSinkConfiguration), typeof(LoggerAuditSinkConfiguration), typeof(LoggerEnrichmentConfiguration)),
        .. Methods(typeof(LoggerFilterConfiguration), typeof(LoggerDestructuringConfiguration), typeof(LoggerSettingsConfiguration), typeof(Log), typeof(LogContext)),
        .. Extensions(
            typeof(ConsoleLoggerConfigurationExtensions), typeof(FileLoggerConfigurationExtensions), typeof(LoggerConfigurationAsyncExtensions), typeof(ConfigurationLoggerConfigurationExtensions),
            typeof(EnvironmentLoggerConfigurationExtensions), typeof(ProcessLoggerConfigurationExtensions), typeof(ThreadLoggerConfigurationExtensions), typeof(LoggerSinkConfigurationExtensions)),
    ];

    private static string[] NamesOfNLog()
    {
        Assembly[] assemblies = [typeof(NLog.LogFactory).Assembly, typeof(NLog.Extensions.Logging.NLogLoggerProvider).Assembly, typeof(NLog.Web.AspNetExtensions).Assembly];
        return
        [
            .. assemblies.SelectMany(static assembly => assembly.GetExportedTypes()).SelectMany(static type => type.GetCustomAttributes<NameBaseAttribute>(inherit: false)).Select(static attribute => attribute.Name).Except(IgnoredOfNLog, StringComparer.Ordinal),
            .. Settable(typeof(NLog.Targets.FileTarget), typeof(AsyncTargetWrapper)),
            .. typeof(LoggingRule).GetProperties().Where(static property => property.CanWrite).Select(static property => property.Name),
        ];
    }

    private static string[] NamesOfLog4Net() =>
    [
        .. typeof(IAppender).Assembly.GetExportedTypes()
            .Where(static type => type is { IsAbstract: false, IsInterface: false } && (type.Namespace is "log4net.Appender" && type.IsAssignableTo(typeof(IAppender))
                || (type.Namespace is "log4net.Layout" && type.IsAssignableTo(typeof(ILayout))) || (type.Namespace is "log4net.Filter" && type.IsClass)))
            .Select(static type => type.Name),
        .. typeof(PatternLayout).GetFields(BindingFlags.NonPublic | BindingFlags.Static).Select(static field => field.GetValue(null)).OfType<System.Collections.IDictionary>().SelectMany(static rules => rules.Keys.Cast<string>()).Where(static rule => rule.Length > 1),
        .. Settable(typeof(RollingFileAppender), typeof(FileAppender), typeof(AppenderSkeleton)),
    ];

    private static string[] NamesOfConsole() =>
    [
        .. Settable(typeof(ConsoleLoggerOptions), typeof(ConsoleFormatterOptions), typeof(SimpleConsoleFormatterOptions), typeof(JsonConsoleFormatterOptions)),
        .. Methods(typeof(ConsoleLoggerExtensions)),
    ];

    private static string[] NamesOfOpenTelemetry() =>
    [
        .. Settable(typeof(OpenTelemetryLoggerOptions), typeof(OtlpExporterOptions), typeof(BatchExportLogRecordProcessorOptions), typeof(BatchExportProcessorOptions<OpenTelemetry.Logs.LogRecord>), typeof(LogRecordExportProcessorOptions)),
        .. Methods(typeof(OpenTelemetryLoggerOptions)),
    ];

    private static IEnumerable<string> Methods(params Type[] types)
        => types.SelectMany(static type => type.GetMethods(Declared)).Where(static method => !method.IsSpecialName && !IsObsolete(method)).Select(static method => method.Name).Except(Ignored, StringComparer.Ordinal);

    // With the names of their parameters.
    private static IEnumerable<string> Extensions(params Type[] types)
        => types.SelectMany(static type => type.GetMethods(Declared)).SelectMany(static method => method.GetParameters().Skip(1).Select(static parameter => parameter.Name!).Prepend(method.Name)).Except(Ignored, StringComparer.Ordinal);

    private static IEnumerable<string> Settable(params Type[] types)
        => types.SelectMany(static type => type.GetProperties(Declared)).Where(static property => property.SetMethod is { IsPublic: true } && !IsObsolete(property)).Select(static property => property.Name).Except(Ignored, StringComparer.Ordinal);

    private static bool IsObsolete(MemberInfo member) => member.IsDefined(typeof(ObsoleteAttribute), inherit: true);

    [GeneratedRegex(@"^\|[^|]*\|", RegexOptions.Multiline, 1_000)]
    private static partial Regex FirstCell();

    [GeneratedRegex("`[^`]+`", RegexOptions.None, 1_000)]
    private static partial Regex Span();

    [GeneratedRegex(@"[A-Za-z0-9]+([-_][A-Za-z0-9]+)*(-?\*)?", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Word();
}
