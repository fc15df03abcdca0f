using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The files that one set of options describes: their directory, their names, their line end. Immutable.</summary>
internal sealed class LogFileSettings
{
    // Periods of every length begin here, and the year without its century, the month, the week and the day are the same number: where two sets can make equal
    // names from different dates, they make them here.
    private static readonly DateTime EqualNames = new(2001, 1, 1);

    /// <param name="options">Valid options, which are copied; the path is absolute and has no token left but <c>{Date}</c>, the header has none.</param>
    public LogFileSettings(AsyncFileLoggerOptions options)
    {
        string path = options.Path ?? throw new ArgumentException("The path is not resolved.", nameof(options));
        Options = options.Copy();
        Names = AsyncFilePath.Resolve(path, options.ArchiveName, options.RollingInterval, out FileNameError? error)
            ?? throw new ArgumentException(error!.Rule, nameof(options));
        Directory = AsyncFilePath.DirectoryOf(path);
        string newLine = LineEndingOf(options.LineEnding);
        NewLine = Encoding.UTF8.GetBytes(newLine);
        Header = string.IsNullOrEmpty(options.Header) ? default : Encoding.UTF8.GetBytes(options.Header + newLine);
    }

    /// <summary>Copies the options: later changes by the application have no effect here.</summary>
    public AsyncFileLoggerOptions Options { get; }

    public string Directory { get; }

    public FileNamePattern Names { get; }

    public ReadOnlyMemory<byte> NewLine { get; }

    /// <summary>The first line of a created file, line end included; empty: none.</summary>
    public ReadOnlyMemory<byte> Header { get; }

    /// <summary>A name in the directory; null: none.</summary>
    public string? LatestLink => string.IsNullOrEmpty(Options.LatestLink) ? null : Options.LatestLink;

    /// <summary>True if files are ever synced to the disk.</summary>
    public bool IsSynced => Options.Durability == WriteDurability.FlushToDisk || Options.FlushToDiskInterval is not null || Options.FlushToDiskLevel != LogLevel.None;

    /// <summary>The lowest level of the records that have to be on the disk when their batch is settled, because callers wait for that; None: no record.</summary>
    public LogLevel AcknowledgedOnDiskFrom
        => Options.Durability == WriteDurability.FlushToDisk || Options.FlushToDiskLevel < Options.AcknowledgeLevel ? Options.AcknowledgeLevel : Options.FlushToDiskLevel;

    /// <summary>Two sets that make equal names for some dates have an equal path here.</summary>
    /// <returns>The path of the active file and that of a finished one.</returns>
    public IEnumerable<string> ReservedPaths => [PathOf(Names.ActiveName(EqualNames)), PathOf(Names.NumberedName(EqualNames, 1))];

    /// <summary>The line end as text, also for the layout.</summary>
    public static string LineEndingOf(LineEnding lineEnding) => lineEnding switch
    {
        LineEnding.CrLf => "\r\n",
        LineEnding.Environment => Environment.NewLine,
        _ => "\n",
    };

    public string PathOf(string name) => Path.Join(Directory, name);

    /// <summary>The path of the file that is written at an instant; of a dated one without its number.</summary>
    public string ActivePathAt(DateTimeOffset instant, TimeProvider timeProvider) => PathOf(Names.ActiveName(PeriodOf(instant, timeProvider).Start));

    public FilePeriod PeriodOf(DateTimeOffset instant, TimeProvider timeProvider) => FilePeriod.Containing(instant, Options.RollingInterval, ZoneOf(timeProvider));

    /// <summary>The zone of the names, which may change while the process runs.</summary>
    public TimeZoneInfo ZoneOf(TimeProvider timeProvider) => Options.UseUtcTimestamp ? TimeZoneInfo.Utc : timeProvider.LocalTimeZone;
}
