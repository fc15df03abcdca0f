using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Options of standard output or standard error, configuration section <c>Logging:AsyncConsole</c> or one of its <c>Streams</c>.</summary>
/// <remarks>The default of <see cref="SinkOptions.Format"/> follows the stream: on a terminal <c>Text</c> with colors, time of day and the last part of the category;
/// in the systemd journal <c>Systemd</c>; else <c>Text</c> as in files. <c>Systemd</c> writes <c>&lt;severity&gt;</c> (sd-daemon(3)) in place of time and level, and
/// each record on one line; <see cref="SinkOptions.Template"/> replaces what follows.</remarks>
public sealed class AsyncConsoleLoggerOptions : SinkOptions
{
    /// <summary>Records at or above this level go to standard error instead of standard output; with <see cref="Microsoft.Extensions.Logging.LogLevel.Trace"/> all do.</summary>
    /// <value>Default <see cref="Microsoft.Extensions.Logging.LogLevel.None"/>: no record does.</value>
    public LogLevel ErrorLevel { get; set; } = Microsoft.Extensions.Logging.LogLevel.None;

    /// <summary>Whether levels have colors with <c>Format: Text</c>.</summary>
    /// <value>Default <see cref="ConsoleColors.Auto"/>.</value>
    public ConsoleColors Color { get; set; }

    /// <summary>True if exceptions stay on the line of their record, escaped, with <c>Format: Text</c>.</summary>
    /// <value>Default false.</value>
    public bool SingleLine { get; set; }

    /// <summary>True if an environment variable switches colors off.</summary>
    internal bool RefusesColors { get; set; }

    /// <summary>True if an environment variable switches colors on without a terminal.</summary>
    internal bool ColorsRedirected { get; set; }

    /// <summary>Device and inode of the stream that goes to the journal, or null.</summary>
    internal string? JournalStream { get; set; }

    /// <summary>The stream of the records below <see cref="ErrorLevel"/>, or of all records.</summary>
    internal ConsoleStream Stream => ErrorLevel == Microsoft.Extensions.Logging.LogLevel.Trace ? ConsoleStream.Error : ConsoleStream.Output;

    /// <summary>True if <see cref="Stream"/> is a terminal; resolved.</summary>
    internal bool IsTerminal { get; set; }

    /// <summary>True if levels have colors; resolved.</summary>
    internal bool HasColors { get; set; }
}

/// <summary>A standard stream of the process.</summary>
internal enum ConsoleStream
{
    /// <summary>Standard output, file descriptor 1.</summary>
    Output,

    /// <summary>Standard error, file descriptor 2.</summary>
    Error,
}

/// <summary>When levels have colors.</summary>
public enum ConsoleColors
{
    /// <summary>No colors with <c>NO_COLOR</c> or with <c>TERM=dumb</c>. Otherwise colors on a terminal, and elsewhere only with
    /// <c>DOTNET_SYSTEM_CONSOLE_ALLOW_ANSI_COLOR_REDIRECTION</c> set to <c>1</c> or <c>true</c>.</summary>
    Auto,

    /// <summary>Colors on any stream.</summary>
    Always,

    /// <summary>No colors.</summary>
    Never,
}
