using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The options of one file as the sink uses them: resolved, parsed, immutable.</summary>
internal sealed record FileSinkSettings
{
    public required string Directory { get; init; }

    public required FileNamePattern Names { get; init; }

    /// <summary>As configured; <see cref="Names"/> is made of it.</summary>
    public required string ArchiveName { get; init; }

    public required RollingInterval Interval { get; init; }

    public required bool UsesUtc { get; init; }

    public long? SizeLimit { get; init; }

    public int? CountLimit { get; init; }

    public TimeSpan? AgeLimit { get; init; }

    public long? TotalSizeLimit { get; init; }

    public FileCompression Compression { get; init; }

    /// <summary>A name in the directory; null: none.</summary>
    public string? LatestLink { get; init; }

    public bool ReopensOnSignal { get; init; }

    public FileStartup OnStartup { get; init; }

    public bool ReopenWhenMoved { get; init; } = true;

    public UnixFileMode FileMode { get; init; } = AsyncFileOptions.DefaultFileMode;

    public UnixFileMode DirectoryMode { get; init; } = AsyncFileOptions.DefaultDirectoryMode;

    /// <summary>The first line of a created file, line end included; empty: none.</summary>
    public ReadOnlyMemory<byte> Header { get; init; }

    /// <summary>The line end.</summary>
    public ReadOnlyMemory<byte> NewLine { get; init; } = "\n"u8.ToArray();

    public FileDurability Durability { get; init; }

    public TimeSpan? SyncInterval { get; init; }

    public LogLevel SyncLevel { get; init; } = LogLevel.None;

    /// <summary>Whether anything is ever synced to the disk.</summary>
    public bool IsSynced => Durability == FileDurability.FlushToDisk || SyncInterval is not null || SyncLevel != LogLevel.None;

    /// <summary>Null: by the size of the file system.</summary>
    public long? MinimumFreeSpace { get; init; }

    /// <param name="options">Valid options, whose path is absolute and has no token left but <c>{Date}</c>, and whose header has none left.</param>
    public static FileSinkSettings From(AsyncFileOptions options)
    {
        string path = options.Path ?? throw new ArgumentException("The path is not resolved.", nameof(options));
        FileNamePattern names = AsyncFilePath.Resolve(path, options.ArchiveName, options.RollingInterval, out FileNameError? error)
            ?? throw new ArgumentException(error!.Rule, nameof(options));
        string newLine = NewLineOf(options.NewLine);
        return new FileSinkSettings
        {
            Directory = AsyncFilePath.DirectoryOf(path),
            Names = names,
            ArchiveName = options.ArchiveName,
            Interval = options.RollingInterval,
            UsesUtc = options.UseUtcTimestamp,
            SizeLimit = options.FileSizeLimit,
            CountLimit = options.RetainedFileCountLimit,
            AgeLimit = options.RetainedFileTimeLimit,
            TotalSizeLimit = options.RetainedTotalSizeLimit,
            Compression = options.Compression,
            LatestLink = string.IsNullOrEmpty(options.LatestLink) ? null : options.LatestLink,
            ReopensOnSignal = !string.IsNullOrEmpty(options.ReopenSignal),
            OnStartup = options.OnStartup,
            ReopenWhenMoved = options.ReopenWhenMoved,
            FileMode = options.UnixFileMode,
            DirectoryMode = options.UnixDirectoryMode,
            Header = string.IsNullOrEmpty(options.Header) ? default : Encoding.UTF8.GetBytes(options.Header + newLine),
            NewLine = Encoding.UTF8.GetBytes(newLine),
            Durability = options.Durability,
            SyncInterval = options.FlushToDiskInterval,
            SyncLevel = options.FlushToDiskLevel,
            MinimumFreeSpace = options.MinimumFreeSpace,
        };
    }

    /// <summary>The line end as text, also for the layout.</summary>
    public static string NewLineOf(FileNewLine newLine) => newLine switch
    {
        FileNewLine.CrLf => "\r\n",
        FileNewLine.Auto => Environment.NewLine,
        _ => "\n",
    };

    /// <summary>Whether finished files are treated as others say: what is kept, and in which form.</summary>
    public bool CleansAs(FileSinkSettings other) =>
        (CountLimit, AgeLimit, TotalSizeLimit, Compression, LatestLink) == (other.CountLimit, other.AgeLimit, other.TotalSizeLimit, other.Compression, other.LatestLink);

    public string PathOf(string name) => Path.Join(Directory, name);

    /// <summary>The path of the file that is written at an instant; of a dated one without its number.</summary>
    public string ActivePathAt(DateTimeOffset instant, TimeProvider timeProvider) => PathOf(Names.ActiveName(PeriodOf(instant, timeProvider).Start));

    public FilePeriod PeriodOf(DateTimeOffset instant, TimeProvider timeProvider) =>
        FilePeriod.Containing(instant, Interval, UsesUtc ? TimeZoneInfo.Utc : timeProvider.LocalTimeZone);
}
