using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Options of one log file, configuration section <c>Logging:AsyncFile</c> or one of its <c>Files</c>.</summary>
/// <remarks>With the defaults, an instance keeps at most 31 files of 100 MB.</remarks>
public sealed class AsyncFileLoggerOptions : SinkOptions
{
    internal const string DefaultArchiveName = "{Name}.{Date}.{Number}{Extension}";

    internal const long DefaultFileSizeLimit = 100L << 20;

    internal const int DefaultRetainedFileCountLimit = 31;

    internal const UnixFileMode DefaultFileMode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead;

    /// <summary>The mode of directories that follows from <see cref="DefaultFileMode"/>.</summary>
    internal const UnixFileMode DefaultDirectoryMode =
        UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute | UnixFileMode.GroupRead | UnixFileMode.GroupExecute;

    /// <summary>The path of the file. A relative path starts at the content root of the host, or without a host at the folder of the executable.</summary>
    /// <remarks><c>%VARIABLE%</c> is an environment variable, <c>%%</c> a percent sign. Tokens: <c>{ApplicationName}</c>, <c>{EnvironmentName}</c>, <c>{MachineName}</c>,
    /// <c>{ProcessId}</c>, <c>{Instance}</c> (<c>default</c> or the name of the file), and in the file name <c>{Date}</c> or <c>{Date:yyyyMMdd}</c>, the start of
    /// the period, for a dated file. <c>{{</c> and <c>}}</c> are braces. In the values of tokens, characters other than <c>[A-Za-z0-9._-]</c> become <c>_</c>. <c>~</c> and <c>$NAME</c> are
    /// not expanded.</remarks>
    /// <value>Default null: <c>logs/{ApplicationName}.log</c>, and for a named file the path of its section with <c>-name</c> before the extension.</value>
    public string? Path { get; set; }

    /// <summary>The interval after which a new file begins.</summary>
    /// <value>Default <see cref="RollingInterval.Day"/>.</value>
    public RollingInterval RollingInterval { get; set; } = RollingInterval.Day;

    /// <summary>The size in bytes at which a new file begins. Logging continues.</summary>
    /// <value>Default 100 MB; at least 4 KB; null: no limit.</value>
    public long? FileSizeLimit { get; set; } = DefaultFileSizeLimit;

    /// <summary>The names of finished files, if <see cref="Path"/> has no <c>{Date}</c>.</summary>
    /// <value>Default <c>{Name}.{Date}.{Number}{Extension}</c>. It contains no directory. It must contain <c>{Number}</c>, and <c>{Date}</c> unless the interval is None. A date
    /// must contain the year and every unit down to its smallest one, so that dates sort by time. If several files in one directory inherit it, it must contain <c>{Name}</c>.</value>
    public string ArchiveName { get; set; } = DefaultArchiveName;

    /// <summary>The number of files to keep, including the active one. AsyncLog deletes the oldest.</summary>
    /// <value>Default 31; at least 1; null: all.</value>
    public int? RetainedFileCountLimit { get; set; } = DefaultRetainedFileCountLimit;

    /// <summary>How long to keep a file after the end of the period in its name, or with <see cref="RollingInterval.None"/> after its last write, if that is later.</summary>
    /// <value>Default null: no limit; at least one minute. AsyncLog deletes a file when any of the limits is exceeded.</value>
    public TimeSpan? RetainedFileTimeLimit { get; set; }

    /// <summary>The total size in bytes of the files to keep, including the active one. AsyncLog deletes the oldest. A compressed file counts with its compressed size.</summary>
    /// <value>Default null: no limit; at least <see cref="FileSizeLimit"/> if both are set.</value>
    public long? RetainedTotalSizeLimit { get; set; }

    /// <summary>Compression of finished files, in the background, at least two seconds after the roll. AsyncLog appends <c>.gz</c> to the name of a compressed file.</summary>
    /// <value>Default <see cref="CompressionMethod.None"/>.</value>
    public CompressionMethod Compression { get; set; }

    /// <summary>The name of a symbolic link, beside the active file, that always points to it. Use it with dated files.</summary>
    /// <value>Default null: none. A file name, which may contain the tokens of <see cref="Path"/> except <c>{Date}</c>. It must differ from the names of the instance's files.</value>
    public string? LatestLink { get; set; }

    /// <summary>The signal at which AsyncLog opens the path again, as with <see cref="IAsyncFileControl.ReopenAsync"/>. The signal then does not end the process.</summary>
    /// <value>Default null: none. <see cref="PosixSignal.SIGHUP"/> is the only other value. On Windows AsyncLog ignores it with a warning.</value>
    public PosixSignal? ReopenSignal { get; set; }

    /// <summary>What happens to an existing file at start.</summary>
    /// <value>Default <see cref="ExistingFile.Append"/>.</value>
    public ExistingFile ExistingFile { get; set; }

    /// <summary>True if AsyncLog checks the path, and opens it again when the file was renamed, deleted or replaced.</summary>
    /// <value>Default true. Several processes that write one file need it.</value>
    public bool ReopenWhenMoved { get; set; } = true;

    /// <summary>The exact mode of new files, independent of the umask. If the file system does not support modes, AsyncLog reports that. New directories have
    /// the same mode, with full access for the owner, and search permission for all that may read: 0750 with 0640.</summary>
    /// <value>Default 0640; no execute bits, and no write access for others.</value>
    public UnixFileMode UnixCreateMode { get; set; } = DefaultFileMode;

    /// <summary>What a written record survives.</summary>
    /// <value>Default <see cref="WriteDurability.Flush"/>.</value>
    /// <remarks>After a failed sync AsyncLog begins a new file, at first at once, then at increasing intervals while syncs fail.
    /// <see cref="IAsyncLogControl.FlushAsync(TimeSpan?, CancellationToken)"/> then returns false.</remarks>
    public WriteDurability Durability { get; set; }

    /// <summary>The longest time until a written record is on disk.</summary>
    /// <value>Default null: no timed sync; at least 10 ms.</value>
    public TimeSpan? FlushToDiskInterval { get; set; }

    /// <summary>AsyncLog syncs a record at or above this level to disk with its batch, at most ten times per second. It always syncs at once if the caller waits for the record
    /// (<see cref="SinkOptions.AcknowledgeLevel"/>).</summary>
    /// <value>Default <see cref="Microsoft.Extensions.Logging.LogLevel.None"/>: no record.</value>
    public LogLevel FlushToDiskLevel { get; set; } = Microsoft.Extensions.Logging.LogLevel.None;

    /// <summary>The free space in bytes below which AsyncLog writes only records of level Warning and above. It checks the space every 5 s, every 16 MB, and before it drops a record.
    /// While nothing can be written, records of all levels wait.</summary>
    /// <value>Default null: 5 % of the file system, at most 100 MB; <c>auto</c> in configuration. Not negative; 0: no check.</value>
    public long? MinFreeSpace { get; set; }

    /// <summary>The line end.</summary>
    /// <value>Default <see cref="LineEnding.Lf"/>.</value>
    public LineEnding LineEnding { get; set; }

    /// <summary>How line breaks inside messages and values are written with <c>Format: Text</c>.</summary>
    /// <value>Default <see cref="LineBreaks.Escape"/>.</value>
    public LineBreaks LineBreaks { get; set; }

    /// <summary>True if exceptions stay on the line of their record, escaped, with <c>Format: Text</c>.</summary>
    /// <value>Default false.</value>
    public bool SingleLine { get; set; }

    /// <summary>The first line of every new file.</summary>
    /// <value>Default null: none. One line, at most 1 KB.</value>
    public string? Header { get; set; }

    /// <summary>The path of the section. A named file without a path derives its own from it.</summary>
    internal string? ParentPath { get; set; }

    internal AsyncFileLoggerOptions Copy() => (AsyncFileLoggerOptions)MemberwiseClone();
}

/// <summary>What happens to an existing log file when the application starts.</summary>
public enum ExistingFile
{
    /// <summary>AsyncLog appends to it.</summary>
    Append,

    /// <summary>If it is not empty, AsyncLog finishes it and begins a new one.</summary>
    Roll,

    /// <summary>AsyncLog replaces it with an empty file.</summary>
    Truncate,
}

/// <summary>The line end of a log file.</summary>
public enum LineEnding
{
    /// <summary>Line feed.</summary>
    Lf,

    /// <summary>Carriage return and line feed.</summary>
    CrLf,

    /// <summary>The line end of the operating system.</summary>
    Environment,
}

/// <summary>How line breaks inside messages and values are written in text files.</summary>
public enum LineBreaks
{
    /// <summary>As <c>\n</c> and <c>\r</c>: one record, one line.</summary>
    Escape,

    /// <summary>As a line end and two spaces: a line that does not begin with a space begins a record.</summary>
    Indent,
}
