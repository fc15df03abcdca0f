using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Options of standard output or standard error, configuration section <c>Logging:AsyncConsole</c> or one of its <c>Streams</c>.</summary>
/// <remarks>The default of <see cref="SinkOptions.Format"/> follows the stream: on a terminal <c>Text</c> with colours, time of day and the last part of the category;
/// in the systemd journal <c>Systemd</c>; else <c>Text</c> as in files. <c>Systemd</c> writes <c>&lt;severity&gt;</c> (sd-daemon(3)) in place of time and level, and
/// each record on one line; <see cref="SinkOptions.Template"/> replaces what follows.</remarks>
public sealed class AsyncConsoleOptions : SinkOptions
{
    /// <summary>The stream that records go to.</summary>
    /// <value>Default <see cref="ConsoleStream.Output"/>.</value>
    public ConsoleStream Stream { get; set; }

    /// <summary>Records from this level on go to standard error instead of <see cref="Stream"/>.</summary>
    /// <value>Default <see cref="Microsoft.Extensions.Logging.LogLevel.None"/>: no record does.</value>
    public LogLevel ErrorLevel { get; set; } = Microsoft.Extensions.Logging.LogLevel.None;

    /// <summary>The use of colours for levels with <c>Format: Text</c>.</summary>
    /// <value>Default <see cref="ConsoleColors.Auto"/>.</value>
    public ConsoleColors Color { get; set; }

    /// <summary>True if exceptions are escaped onto the line of their record with <c>Format: Text</c>.</summary>
    /// <value>Default false.</value>
    public bool SingleLine { get; set; }

    /// <summary>True if a variable asks for no colours.</summary>
    internal bool RefusesColors { get; set; }

    /// <summary>True if a variable asks for colours where no terminal is.</summary>
    internal bool ColorsRedirected { get; set; }

    /// <summary>Device and inode of the stream that goes to the journal; null: none does.</summary>
    internal string? JournalStream { get; set; }

    /// <summary>True if <see cref="Stream"/> is a terminal; resolved.</summary>
    internal bool IsTerminal { get; set; }

    /// <summary>True if levels are coloured; resolved.</summary>
    internal bool HasColors { get; set; }
}

/// <summary>A standard stream of the process.</summary>
public enum ConsoleStream
{
    /// <summary>Standard output, file descriptor 1.</summary>
    Output,

    /// <summary>Standard error, file descriptor 2.</summary>
    Error,
}

/// <summary>The use of colours.</summary>
public enum ConsoleColors
{
    /// <summary>No colours with <c>NO_COLOR</c> set or <c>TERM</c> <c>dumb</c>; otherwise colours on a terminal, and off a terminal only with
    /// <c>DOTNET_SYSTEM_CONSOLE_ALLOW_ANSI_COLOR_REDIRECTION</c> set to <c>1</c> or <c>true</c>.</summary>
    Auto,

    /// <summary>Whatever the stream is.</summary>
    Always,

    /// <summary>No colours.</summary>
    Never,
}
