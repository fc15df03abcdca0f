using System.Text;

namespace AsyncLog;

/// <summary>Makes the pattern of a file set from its configured names.</summary>
internal static class FileNamePatternParser
{
    private const long LargestNumberWithinLength = 999_999;
    private const int LargestProcessId = 4_194_304;

    private const string Unordered =
        "the date must begin with the year and leave no unit out before a smaller one (yyyy-MM-dd), or the newest files would count as the oldest";

    // Known by reference and replaced, so their own text is never seen.
    private static readonly FileNamePart NameToken = FileNamePart.Fixed("");
    private static readonly FileNamePart ExtensionToken = FileNamePart.Fixed("");

    /// <param name="name">The file name of the path: all tokens expanded but <c>{Date}</c>, braces doubled.</param>
    /// <param name="archiveName">The archive name as configured.</param>
    /// <param name="interval">Gives <c>{Date}</c> its format where it has none.</param>
    /// <param name="error">The rule that is broken, and whether it is one of the archive name.</param>
    public static FileNamePattern? Parse(string name, string archiveName, RollingInterval interval, out FileNameError? error)
    {
        error = null;
        List<FileNamePart>? active = FileNameText.Split(name, (token, format) => DateToken(token, format, interval), out string? problem);
        problem ??= active!.Count == 0 ? "expected a file name" : null;
        problem ??= Unprintable(name);
        if (problem is not null)
            return Fail(problem, isArchive: false, out error);

        bool isDated = active!.Exists(part => part.Date is not null);
        FileDateUnits units = UnitsOf(active);
        if (isDated && !FileDateFormat.Distinguishes(units, interval))
            return Fail($"the date in the name must tell every {interval} from the next", isArchive: false, out error);
        if (isDated && !FileDateFormat.SortsByTime(units))
            return Fail(Unordered, isArchive: false, out error);

        (List<FileNamePart> stem, string extension) = SplitExtension(active);
        List<FileNamePart>? numbered = isDated
            ? [.. stem, FileNamePart.Fixed("."), FileNamePart.Number, FileNamePart.Fixed(extension)]
            : ArchiveParts(archiveName, stem, extension, interval, out problem);
        if (numbered is null)
            return Fail(problem!, isArchive: true, out error);

        var pattern = new FileNamePattern(isDated, active, numbered);
        int longest = LongestOf(pattern);
        return longest <= FileNamePattern.LongestName
            ? pattern
            : Fail($"file names would be {longest} bytes long; the limit is {FileNamePattern.LongestName}", isArchive: false, out error);
    }

    /// <summary>The rule an archive name breaks whatever the path is; null when it breaks none.</summary>
    public static string? CheckArchiveName(string archiveName, RollingInterval interval)
    {
        ArchiveParts(archiveName, [FileNamePart.Fixed("name")], ".log", interval, out string? error);
        return error;
    }

    private static FileDateUnits UnitsOf(List<FileNamePart> parts) =>
        parts.Aggregate(FileDateUnits.None, static (all, part) => all | (part.Date?.Units ?? FileDateUnits.None));

    private static FileNamePattern? Fail(string problem, bool isArchive, out FileNameError? error)
    {
        error = new FileNameError(problem, isArchive);
        return null;
    }

    private static (FileNamePart? Part, string? Error) DateToken(string token, string? format, RollingInterval interval)
    {
        if (!token.Equals("Date", StringComparison.OrdinalIgnoreCase))
            return (null, null);
        string? error = null;
        FileDateFormat? date = format is null ? FileDateFormat.Default(interval) : FileDateFormat.Parse(format, out error);
        return (date is null ? null : new FileNamePart(null, date), error);
    }

    private static List<FileNamePart>? ArchiveParts(
        string archiveName, List<FileNamePart> stem, string extension, RollingInterval interval, out string? error)
    {
        List<FileNamePart>? parts = FileNameText.Split(archiveName, (token, format) => ArchiveToken(token, format, interval), out error);
        error ??= Unprintable(archiveName);
        if (parts is null || error is not null)
            return null;
        error = parts.Exists(part => part.Text?.AsSpan().ContainsAny('/', '\\') == true) ? "must be a file name without a directory"
            : parts.Count(part => part.IsNumber) != 1 ? "must contain {Number} exactly once"
            : interval != RollingInterval.None && !parts.Exists(part => part.Date is not null)
                ? "must contain {Date} because RollingInterval is not None"
            : parts.Exists(part => part.Date is not null) && !FileDateFormat.SortsByTime(UnitsOf(parts)) ? Unordered
            : null;
        if (error is not null)
            return null;
        return [.. parts.SelectMany(part => ReferenceEquals(part, NameToken) ? stem
            : ReferenceEquals(part, ExtensionToken) ? [FileNamePart.Fixed(extension)]
            : (IEnumerable<FileNamePart>)[part])];
    }

    private static (FileNamePart? Part, string? Error) ArchiveToken(string token, string? format, RollingInterval interval)
    {
        if (token.Equals("Date", StringComparison.OrdinalIgnoreCase))
            return DateToken(token, format, interval);
        FileNamePart? part = token.ToUpperInvariant() switch
        {
            "NAME" => NameToken,
            "EXTENSION" => ExtensionToken,
            "NUMBER" => FileNamePart.Number,
            _ => null,
        };
        return part is null ? (null, $"unknown token {{{token}}}; known are {{Name}}, {{Date}}, {{Number}} and {{Extension}}")
            : format is null ? (part, null)
            : (null, $"{{{token}}} takes no format");
    }

    /// <summary>The extension is what follows the last dot of fixed text at the end of a name.</summary>
    private static (List<FileNamePart> Stem, string Extension) SplitExtension(List<FileNamePart> name)
    {
        string text = name[^1].Text ?? "";
        int dot = text.LastIndexOf('.');
        if (dot < 0)
            return (name, "");
        return ([.. name[..^1], FileNamePart.Fixed(text[..dot])], text[dot..]);
    }

    /// <summary>The rule that a name with characters breaks that cannot be shown; null when it has none.</summary>
    public static string? Unprintable(string name) => name.AsSpan().ContainsAnyInRange('\0', '\u001f') || name.Contains('\u007f')
        ? "must not contain control characters"
        : null;

    private static int LongestOf(FileNamePattern pattern)
    {
        // Every date has the same length.
        string numbered = $".{pattern.NumberedName(DateTime.MinValue, LargestNumberWithinLength)}.gz.{LargestProcessId}.tmp";
        string successor = pattern.IsDated ? "" : pattern.SuccessorName(LargestProcessId);
        return Math.Max(Encoding.UTF8.GetByteCount(numbered), Encoding.UTF8.GetByteCount(successor));
    }
}

/// <summary>A rule that a configured name breaks.</summary>
/// <param name="Rule">In words.</param>
/// <param name="IsArchiveName">Whether the archive name breaks it, not the path.</param>
internal sealed record FileNameError(string Rule, bool IsArchiveName);
