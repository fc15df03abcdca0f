using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>All the names one file set can have: makes them, and tells which names it could have made.</summary>
/// <remarks>
/// A fixed name has archives, named by their own pattern. A dated name (with <c>{Date}</c>) has no archives: the first file of a period has
/// the plain name, further ones a number before the extension.
/// </remarks>
internal sealed class FileNamePattern
{
    /// <summary>Bytes of a file name on any file system that matters.</summary>
    public const int LongestName = 255;

    private const string Gzip = ".gz";
    private readonly List<FileNamePart> _active;
    private readonly List<FileNamePart> _numbered;

    internal FileNamePattern(bool isDated, List<FileNamePart> active, List<FileNamePart> numbered)
    {
        IsDated = isDated;
        _active = active;
        _numbered = numbered;
    }

    /// <summary>Whether the active name changes with time and no file is ever renamed.</summary>
    public bool IsDated { get; }

    /// <summary>The length of the fixed text: of two sets that could own a file, the one with more of it does.</summary>
    public int TextLength => _numbered.Sum(part => part.Text?.Length ?? 0);

    /// <summary>What dates in the names of finished files tell apart.</summary>
    public FileDateUnits DateUnits => _numbered.Aggregate(FileDateUnits.None, static (all, part) => all | (part.Date?.Units ?? FileDateUnits.None));

    /// <summary>The name of a finished file after compression.</summary>
    public static string CompressedName(string name) => name + Gzip;

    /// <summary>Whether a name is that of a compressed file.</summary>
    public static bool IsCompressed(string name) => name.EndsWith(Gzip, StringComparison.Ordinal);

    /// <summary>The name a file has in the making, until it gets its own; nobody else uses it.</summary>
    public static string TemporaryName(string name, int processId) => string.Create(CultureInfo.InvariantCulture, $".{name}.{processId}.tmp");

    /// <summary>The name of the file that is written in a period.</summary>
    public string ActiveName(DateTime periodStart) => Make(_active, periodStart, 0);

    /// <summary>The name of a finished file, or of a further file of a dated period. Number 0 is the plain name of a dated file.</summary>
    public string NumberedName(DateTime periodStart, long number) =>
        Make(number == 0 && IsDated ? _active : _numbered, periodStart, number);

    /// <summary>The name under which the successor of a fixed active file is created before it takes its place.</summary>
    public string SuccessorName(int processId) => TemporaryName(ActiveName(DateTime.MinValue), processId);

    /// <summary>Whether a name is exactly one that this set gives to successors.</summary>
    public bool IsSuccessorName(string name) => !IsDated && TemporaryOf(name) == ActiveName(DateTime.MinValue);

    /// <summary>Whether a name is exactly one that this set gives to compressed files in the making.</summary>
    public bool IsCompressingName(string name) => TemporaryOf(name) is { } made && IsCompressed(made) && TryParseExact(made.AsSpan()[..^Gzip.Length], out _);

    /// <summary>The name a file in the making is to have; null when the name is not one of those.</summary>
    public static string? TemporaryOf(string name)
    {
        const string end = ".tmp";
        if (name.Length <= end.Length || name[0] != '.' || !name.EndsWith(end, StringComparison.Ordinal))
            return null;
        string inner = name[1..^end.Length];
        int dot = inner.LastIndexOf('.');
        return dot > 0 && int.TryParse(inner.AsSpan(dot + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int id) && TemporaryName(inner[..dot], id) == name
            ? inner[..dot]
            : null;
    }

    /// <summary>Whether a name is exactly one that this set gives: to archives, compressed or not, or to dated files.</summary>
    public bool TryParse(string name, out FileStamp stamp)
    {
        ReadOnlySpan<char> text = name;
        if (TryParseExact(text, out stamp))
            return true;
        return IsCompressed(name) && TryParseExact(text[..^Gzip.Length], out stamp);
    }

    private bool TryParseExact(ReadOnlySpan<char> name, out FileStamp stamp) =>
        (IsDated && Match(_active, 0, name, new FileDateParts(), 0, name, out stamp))
        || Match(_numbered, 0, name, new FileDateParts(), 0, name, out stamp);

    private bool Match(
        List<FileNamePart> parts, int index, ReadOnlySpan<char> rest, FileDateParts date, long number, ReadOnlySpan<char> whole, out FileStamp stamp)
    {
        stamp = default;
        if (index == parts.Count)
        {
            if (!rest.IsEmpty || !date.TryGetDate(out DateTime start))
                return false;
            stamp = new FileStamp(start, number);

            // Dates that contradict each other, or a week with a day of another one.
            return whole.SequenceEqual(Make(parts, start, number));
        }

        FileNamePart part = parts[index];
        if (part.IsNumber)
            return MatchNumber(parts, index, rest, date, whole, out stamp);
        int length = part.Date is { } format ? format.Read(rest, ref date) : rest.StartsWith(part.Text) ? part.Text!.Length : -1;
        return length >= 0 && Match(parts, index + 1, rest[length..], date, number, whole, out stamp);
    }

    private bool MatchNumber(
        List<FileNamePart> parts, int index, ReadOnlySpan<char> rest, FileDateParts date, ReadOnlySpan<char> whole, out FileStamp stamp)
    {
        stamp = default;
        for (int length = 3; length <= Math.Min(rest.Length, 18); length++)
        {
            if (long.TryParse(rest[..length], NumberStyles.None, CultureInfo.InvariantCulture, out long number) && number > 0
                && Match(parts, index + 1, rest[length..], date, number, whole, out stamp))
                return true;
        }

        return false;
    }

    private static string Make(List<FileNamePart> parts, DateTime date, long number)
    {
        var name = new StringBuilder();
        foreach (FileNamePart part in parts)
        {
            if (part.Date is { } format)
                format.Append(name, date);
            else
                name.Append(part.Text ?? number.ToString("000", CultureInfo.InvariantCulture));
        }

        return name.ToString();
    }
}
