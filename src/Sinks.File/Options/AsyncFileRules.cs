using System.Runtime.InteropServices;
using System.Text;

namespace AsyncLog;

/// <summary>The rules of the file options, except ranges. Each returns the text of the broken rule, or null.</summary>
internal static class AsyncFileRules
{
    public const long SmallestFileSizeLimit = 4 << 10;
    public const int SmallestRetainedFileCountLimit = 1;
    public static readonly TimeSpan SmallestRetainedFileTimeLimit = TimeSpan.FromMinutes(1);
    public const int SmallestFlushToDiskMilliseconds = 10;

    private const int LongestHeader = 1 << 10;
    private const UnixFileMode AnyExecute = UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute;
    private const UnixFileMode AnyRead = UnixFileMode.UserRead | UnixFileMode.GroupRead | UnixFileMode.OtherRead;
    private const int ReadToExecute = 2;
    private const UnixFileMode Special = UnixFileMode.SetUser | UnixFileMode.SetGroup | UnixFileMode.StickyBit;
    private const UnixFileMode OwnerAll = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    /// <summary>The signals of <see cref="AsyncFileLoggerOptions.ReopenSignal"/>.</summary>
    public static OptionKind<PosixSignal> ReopenSignal { get; } = new(
        OptionForm.Choice(typeof(PosixSignal)) with { Words = [nameof(PosixSignal.SIGHUP)] },
        static text => text.Equals(nameof(PosixSignal.SIGHUP), StringComparison.OrdinalIgnoreCase) ? new(PosixSignal.SIGHUP) : ParseResult<PosixSignal>.Invalid("expected SIGHUP"),
        static signal => signal.ToString(),
        static signal => signal == PosixSignal.SIGHUP ? null : "expected SIGHUP");

    public static string? RetainedTotalSizeLimit(long? value, long? fileSizeLimit) =>
        value < 0 ? "must not be negative" : value < fileSizeLimit ? "must be at least FileSizeLimit" : null;

    /// <summary>Describes a probable mistake in a valid path; null: none.</summary>
    public static string? PathHint(LogFileSettings settings)
    {
        string name = settings.Names.ActiveName(DateTime.MinValue);
        string path = settings.PathOf(name);
        if (!OperatingSystem.IsWindows() && path.Contains('\\'))
            return $"in {path} the backslashes are part of a name: write / between directories";
        foreach (string part in path.Split('/', '\\'))
        {
            if (part is "~" or ['$', (>= 'A' and <= 'Z') or (>= 'a' and <= 'z') or '_', ..])
                return $"in {path} the {part} is a name: write {(part == "~" ? "%HOME%" : WithVariable(part))} or the whole path";
            if (part == "file:")
                return $"in {path} the file: is the name of a directory: write the path without file://";
            if (part is [' ', ..])
                return $"in {path} a name begins with a blank: remove it";
        }

        bool isUnfinished = !settings.Names.IsDated && settings.Options.RollingInterval != RollingInterval.None && Path.GetFileNameWithoutExtension(name) is [.., '-' or '_'];
        return isUnfinished ? $"no date is added to {name}: write {{Date}} where it belongs, or omit the last character of the name" : null;
    }

    // $APP.log as the shell reads it: the value of APP, and .log.
    private static string WithVariable(string part)
    {
        int end = 1;
        while (end < part.Length && (char.IsAsciiLetterOrDigit(part[end]) || part[end] == '_'))
            end++;
        return $"%{part[1..end]}%{part[end..]}";
    }

    /// <summary>Names that Windows refuses, or treats as other names.</summary>
    /// <param name="configured">The path as configured: the system cuts dots and spaces at the end of a name off.</param>
    public static string? WindowsPath(string configured, string path)
    {
        const int drive = 2;
        const string extended = @"\\?\";
        string names = path.StartsWith(extended, StringComparison.Ordinal) ? path[extended.Length..] : path;
        int bad = names.AsSpan().IndexOfAny("<>\"|?*") is >= 0 and var index ? index : names.IndexOf(':', Math.Min(drive, names.Length));
        return bad >= 0 ? $"must not contain {names[bad]} on Windows"
            : configured.Split('/', '\\').Any(static name => name is not ("." or "..") and [.., '.' or ' ']) ? "no name may end with a dot or a space on Windows"
            : null;
    }

    public static string? LatestLink(string value, FileNamePattern names)
    {
        bool isFileName = value is not ("." or "..") && !value.AsSpan().ContainsAny('/', '\\');
        bool isOfSet = names.TryParse(value, out _) || names.IsSuccessorName(value) || names.IsCompressingName(value)
            || (!names.IsDated && names.ActiveName(DateTime.MinValue) == value);
        return !isFileName ? "must be a file name without a directory"
            : isOfSet ? "must differ from the names of the log files"
            : FileNameParser.Unprintable(value) is { } rule ? rule
            : Encoding.UTF8.GetByteCount(FileNamePattern.TemporaryName(value, int.MaxValue)) > FileNamePattern.LongestName ? "is too long for a file name"
            : null;
    }

    public static string? ArchiveName(string value, RollingInterval interval) =>
        string.IsNullOrEmpty(value) ? "must not be empty" : FileNameParser.CheckArchiveName(value, interval);

    public static string? FileMode(UnixFileMode value) =>
        (value & (AnyExecute | Special)) != 0 ? "a log file must not be executable"
        : value.HasFlag(UnixFileMode.OtherWrite) ? "a log file must not be writable by everyone"
        : null;

    /// <summary>The mode of new directories: that of files, with full access for the owner, and search permission for all that may read.</summary>
    public static UnixFileMode DirectoryModeOf(UnixFileMode fileMode) => fileMode | (UnixFileMode)((int)(fileMode & AnyRead) >> ReadToExecute) | OwnerAll;

    public static string? Header(string? value) =>
        value is null ? null
        : value.AsSpan().ContainsAny('\r', '\n') ? "must be one line"
        : Encoding.UTF8.GetByteCount(value) > LongestHeader ? "must be at most 1KB long"
        : null;
}
