using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Options of one log file, configuration section <c>Logging:AsyncFile</c> or one of its <c>Files</c>.</summary>
/// <remarks>With the defaults a file set takes at most 31 files of 100 MB.</remarks>
public sealed class AsyncFileOptions : SinkOptions
{
    internal const string DefaultArchiveName = "{Name}.{Date}.{Number}{Extension}";

    internal const long DefaultFileSizeLimit = 100L << 20;

    internal const int DefaultRetainedFileCountLimit = 31;

    internal const UnixFileMode DefaultFileMode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead;

    internal const UnixFileMode DefaultDirectoryMode =
        UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute | UnixFileMode.GroupRead | UnixFileMode.GroupExecute;

    /// <summary>True if the section itself is a file beside its named <c>Files</c>. A key of the section only: a named file is switched off with
    /// <see cref="SinkOptions.Enabled"/>.</summary>
    /// <value>Default true. Without named files the section always is a file.</value>
    public bool Main { get; set; } = true;

    /// <summary>Path of the file. Relative paths start at the content root of the host, without a host at the folder of the executable.</summary>
    /// <remarks><c>%VARIABLE%</c> is an environment variable, <c>%%</c> a percent sign. Tokens: <c>{ApplicationName}</c>, <c>{EnvironmentName}</c>, <c>{MachineName}</c>,
    /// <c>{ProcessId}</c>, <c>{Instance}</c> (<c>default</c> or the name of the file), and in the file name <c>{Date}</c> or <c>{Date:yyyyMMdd}</c>, the begin of
    /// the period, which makes a dated file; <c>{{</c> and <c>}}</c> are braces. Of the values of tokens all but <c>[A-Za-z0-9._-]</c> becomes <c>_</c>. <c>~</c> is not
    /// expanded.</remarks>
    /// <value>Default null: <c>logs/{ApplicationName}.log</c>, and for a named file its parent's path with <c>-name</c> before the extension.</value>
    public string? Path { get; set; }

    /// <summary>Interval after which a new file begins.</summary>
    /// <value>Default <see cref="RollingInterval.Day"/>.</value>
    public RollingInterval RollingInterval { get; set; } = RollingInterval.Day;

    /// <summary>The size in bytes at which a new file begins. Logging does not stop at it.</summary>
    /// <value>Default 100 MB; at least 4 KB; null: no limit.</value>
    public long? FileSizeLimit { get; set; } = DefaultFileSizeLimit;

    /// <summary>The names that finished files of a <see cref="Path"/> without <c>{Date}</c> get.</summary>
    /// <value>Default <c>{Name}.{Date}.{Number}{Extension}</c>. No directory; contains <c>{Number}</c>, and <c>{Date}</c> unless the interval is None; a date has
    /// the year and leaves no unit out before a smaller one, so that dates sort by time. Files of one directory that inherit it need <c>{Name}</c>, because no two may make the same names.</value>
    public string ArchiveName { get; set; } = DefaultArchiveName;

    /// <summary>Number of files that are kept, the active one included; the oldest are deleted.</summary>
    /// <value>Default 31; at least 1; null: all.</value>
    public int? RetainedFileCountLimit { get; set; } = DefaultRetainedFileCountLimit;

    /// <summary>Time for which files are kept after the end of the period in their name; with <see cref="RollingInterval.None"/> after the last write, if that is later.</summary>
    /// <value>Default null: age plays no part; at least one minute. A file is deleted when any of the limits is exceeded.</value>
    public TimeSpan? RetainedFileTimeLimit { get; set; }

    /// <summary>Total size in bytes of the kept files, the active one included; the oldest are deleted. Compressed files count as they are.</summary>
    /// <value>Default null: no limit; at least <see cref="FileSizeLimit"/> when both are set.</value>
    public long? RetainedTotalSizeLimit { get; set; }

    /// <summary>Compression of finished files, in the background.</summary>
    /// <value>Default <see cref="FileCompression.None"/>.</value>
    public FileCompression Compression { get; set; }

    /// <summary>The name of a symbolic link beside the active file that always points to it; useful for dated files.</summary>
    /// <value>Default null: none. A file name, which may contain the tokens of <see cref="Path"/> without <c>{Date}</c>; never one that files of the set have.</value>
    public string? LatestLink { get; set; }

    /// <summary>The signal that opens the path again, as <see cref="IAsyncFileControl.ReopenAsync"/> does. It no longer ends the process.</summary>
    /// <value>Default null: none. <c>SIGHUP</c> is the only other value; ignored with a warning on Windows.</value>
    public string? ReopenSignal { get; set; }

    /// <summary>Action on an existing file at start.</summary>
    /// <value>Default <see cref="FileStartup.Append"/>.</value>
    public FileStartup OnStartup { get; set; }

    /// <summary>True if the path is checked, and opened again when the file was renamed, deleted or replaced.</summary>
    /// <value>Default true. Leave it on where several processes write one file.</value>
    public bool ReopenWhenMoved { get; set; } = true;

    /// <summary>The exact mode of files that are created, whatever the umask. A file system that does not let modes be set gives its own, which is reported.</summary>
    /// <value>Default 0640; no execute bits, not writable by others.</value>
    public UnixFileMode UnixFileMode { get; set; } = DefaultFileMode;

    /// <summary>The exact mode of directories that are created, whatever the umask, where the file system lets it be set.</summary>
    /// <value>Default 0750; the owner may do everything, not writable by others.</value>
    public UnixFileMode UnixDirectoryMode { get; set; } = DefaultDirectoryMode;

    /// <summary>Durability of a record once it is written.</summary>
    /// <value>Default <see cref="FileDurability.Flush"/>.</value>
    /// <remarks>After a sync that failed the file is not trusted any more: a new one begins (at once, then at increasing intervals while it
    /// fails), and <see cref="IAsyncLogControl.FlushAsync"/> returns false.</remarks>
    public FileDurability Durability { get; set; }

    /// <summary>The longest time that a written record may not be on the disk.</summary>
    /// <value>Default null: no timed sync; at least 10 ms.</value>
    public TimeSpan? FlushToDiskInterval { get; set; }

    /// <summary>From this level on a record is synced to the disk with its batch, at most ten times a second; one whose caller waits for it, from
    /// <see cref="SinkOptions.AcknowledgeLevel"/> on, each time.</summary>
    /// <value>Default <see cref="Microsoft.Extensions.Logging.LogLevel.None"/>: no record is.</value>
    public LogLevel FlushToDiskLevel { get; set; } = Microsoft.Extensions.Logging.LogLevel.None;

    /// <summary>The free space in bytes below which only records of level Warning and above are written. Checked every 5 s, every 16 MB, and before a record is dropped.</summary>
    /// <value>Default null, <c>auto</c> in configuration: 5 % of the file system, at most 100 MB. Not negative; 0: it is not checked.</value>
    public long? MinimumFreeSpace { get; set; }

    /// <summary>The line end.</summary>
    /// <value>Default <see cref="FileNewLine.Lf"/>.</value>
    public FileNewLine NewLine { get; set; }

    /// <summary>Style of line breaks inside messages and values with <c>Format: Text</c>.</summary>
    /// <value>Default <see cref="NewLineStyle.Escape"/>.</value>
    public NewLineStyle NewLines { get; set; }

    /// <summary>True if exceptions are escaped onto the line of their record with <c>Format: Text</c>.</summary>
    /// <value>Default false.</value>
    public bool SingleLine { get; set; }

    /// <summary>The first line of every file that is created.</summary>
    /// <value>Default null: none. One line, at most 1 KB.</value>
    public string? Header { get; set; }

    /// <summary>The path of the section, from which a named file without one makes its own.</summary>
    internal string? ParentPath { get; set; }

    internal AsyncFileOptions Copy() => (AsyncFileOptions)MemberwiseClone();
}

/// <summary>Action on an existing log file when the application starts.</summary>
public enum FileStartup
{
    /// <summary>It is appended to.</summary>
    Append,

    /// <summary>If it is not empty, it is finished and a new one begins.</summary>
    Roll,

    /// <summary>It is replaced by an empty one.</summary>
    Truncate,
}

/// <summary>Compression of finished log files.</summary>
public enum FileCompression
{
    /// <summary>It stays as it was written.</summary>
    None,

    /// <summary>It is compressed in the background, no sooner than two seconds after the roll, and gets <c>.gz</c> behind its name (RFC 1952).</summary>
    Gzip,
}

/// <summary>Durability of a record once it is written.</summary>
public enum FileDurability
{
    /// <summary>With the operating system: it survives the end of the process, not a loss of power.</summary>
    Flush,

    /// <summary>On the disk: every batch is synced, and survives a loss of power.</summary>
    FlushToDisk,
}

/// <summary>The line end of a log file.</summary>
public enum FileNewLine
{
    /// <summary>Line feed.</summary>
    Lf,

    /// <summary>Carriage return and line feed.</summary>
    CrLf,

    /// <summary>That of the operating system.</summary>
    Auto,
}

/// <summary>Style of line breaks inside messages and values in text files.</summary>
public enum NewLineStyle
{
    /// <summary>As <c>\n</c> and <c>\r</c>: one record, one line.</summary>
    Escape,

    /// <summary>As a line end and two spaces: a line that does not begin with a space begins a record.</summary>
    Indent,
}
