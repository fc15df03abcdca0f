using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Describes the console sink.</summary>
/// <param name="isSecondConsole">Returns true if the console provider of .NET is registered too; asked when a sink is made, because it may be registered later.</param>
/// <param name="open">Gives a standard stream; null: that of the process.</param>
internal sealed class ConsoleSinkDefinition(Func<bool> isSecondConsole, Func<ConsoleStream, StandardStream>? open = null) : SinkDefinition<AsyncConsoleLoggerOptions>("console")
{
    private const string Systemd = "Systemd";

    // One line, short: a terminal is narrow, and its user knows the day.
    private const string TerminalTemplate = "{Timestamp:HH:mm:ss.fff} {Level:u3} {Category:s}: {Message}{NewLine}{Exception}";

    // Time and host are the journal's.
    private const string SystemdTemplate = "{Category}[{EventId}] {Message}{NewLine}{Exception}";

    private readonly Func<ConsoleStream, StandardStream> _open = open ?? StandardStream.Of;

    public override string ChildrenKey => "Streams";

    public override string RegistrationMethod => "AddAsyncConsole";

    public override string DestinationKey => nameof(AsyncConsoleLoggerOptions.ErrorLevel);

    public override IReadOnlyList<string> Formats => [.. base.Formats, Systemd];

    public override void Describe(OptionsTable<AsyncConsoleLoggerOptions> table) => table
        // .NET console: LogToStandardErrorThreshold.
        .Add("ErrorLevel", static o => o.ErrorLevel, static (o, value) => o.ErrorLevel = value, OptionKind.Level, OptionReload.Rebuild)
        // .NET console: ColorBehavior.
        .Add("Color", static o => o.Color, static (o, value) => o.Color = value, OptionKind.Choice<ConsoleColors>(), OptionReload.Live)
        // .NET console: SingleLine.
        .Add("SingleLine", static o => o.SingleLine, static (o, value) => o.SingleLine = value, OptionKind.Boolean, OptionReload.Live);

    public override void ReadEnvironment(AsyncConsoleLoggerOptions options, SinkEnvironment environment)
    {
        options.RefusesColors = environment.GetVariable("NO_COLOR") is not null || environment.GetVariable("TERM") == "dumb";
        options.ColorsRedirected = environment.GetVariable("DOTNET_SYSTEM_CONSOLE_ALLOW_ANSI_COLOR_REDIRECTION") is { } value
            && (value == "1" || value.Equals("true", StringComparison.OrdinalIgnoreCase));
        options.JournalStream = environment.GetVariable("JOURNAL_STREAM");
    }

    public override void ClearDestination(AsyncConsoleLoggerOptions options) => options.ErrorLevel = LogLevel.None;

    public override void Resolve(AsyncConsoleLoggerOptions options, InstanceResolution resolution)
    {
        var stream = _open(options.Stream);
        options.IsTerminal = stream.IsTerminal;
        options.Format ??= stream.IsJournal(options.JournalStream) ? Systemd : DefaultFormat;
        options.HasColors = options.Color switch
        {
            ConsoleColors.Always => true,
            ConsoleColors.Never => false,
            _ => !options.RefusesColors && (stream.IsTerminal ? stream.ShowsColors : options.ColorsRedirected),
        };
    }

    public override RecordLayout LayoutOf(AsyncConsoleLoggerOptions options, RecordLayout layout)
    {
        if (Systemd.Equals(layout.Format, StringComparison.OrdinalIgnoreCase))
        {
            return layout with
            {
                Format = DefaultFormat,
                Template = layout.Template is { } template ? SeverityOf(template) : null,
                DefaultTemplate = SeverityOf(SystemdTemplate),
                SingleLine = true,
            };
        }

        return layout with
        {
            DefaultTemplate = options.IsTerminal ? TerminalTemplate : null,
            SingleLine = options.SingleLine,
            ColorLevels = options.HasColors,
        };
    }

    public override string Summarize(AsyncConsoleLoggerOptions options) =>
        options.Format!.ToLowerInvariant() + (options.ErrorLevel is LogLevel.None or LogLevel.Trace ? "" : $", from {options.ErrorLevel} on to standard error");

    public override ILogSink CreateSink(AsyncConsoleLoggerOptions options, SinkContext context)
    {
        if (!context.IsReload && isSecondConsole())
            context.Report(LogLevel.Warning, "twice", "The console provider of .NET is registered too and writes every line a second time: call ClearProviders() before AddAsyncConsole().");
        return new ConsoleSink(_open(options.Stream), _open(ConsoleStream.Error), options.ErrorLevel, context);
    }

    private static string SeverityOf(string template) => "<{Level:syslog}>" + template;
}
