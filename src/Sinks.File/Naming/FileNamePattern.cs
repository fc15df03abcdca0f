using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>All the names one file set can have: makes them, and recognizes exactly those that it makes.</summary>
/// <remarks>
/// A fixed name has archives, named by their own pattern. A dated name (with <c>{Date}</c>) has no archives: the first file of a period has
/// the plain name, further ones a number before the extension.
/// </remarks>
/// <param name="numbered">The name of an archive, or of a further file of a period; with one number.</param>
internal sealed class FileNamePattern(IReadOnlyList<FileNamePiece> active, IReadOnlyList<FileNamePiece> numbered)
{
    /// <summary>The maximum number of bytes of a file name on common file systems.</summary>
    public const int LongestName = 255;

    /// <summary>The largest id of a process on Linux, and the largest number in a temporary name.</summary>
    public const int LargestProcessId = 4_194_304;

    private const string Gzip = ".gz";

    private const int FewestDigits = 3;
    private const int MostDigits = 18;

    /// <summary>True if the active name changes with time and no file is ever renamed.</summary>
    public bool IsDated { get; } = active.Any(static piece => piece.Kind == FileNamePieceKind.DateUnit);

    /// <summary>The length of the fixed text. If two sets could own a file, the one with the longer fixed text does.</summary>
    public int TextLength => numbered.Sum(static piece => piece.Kind == FileNamePieceKind.Text ? piece.Text.Length : 0);

    /// <summary>The units of the dates in the names of finished files.</summary>
    public FileDateUnits DateUnits { get; } = UnitsOf(numbered);

    /// <summary>The units of all dates in some pieces.</summary>
    public static FileDateUnits UnitsOf(IEnumerable<FileNamePiece> pieces) => pieces.Aggregate(FileDateUnits.None, static (all, piece) => all | piece.Unit);

    /// <summary>The name of a finished file after compression.</summary>
    public static string CompressedName(string name) => name + Gzip;

    public static bool IsCompressed(string name) => name.EndsWith(Gzip, StringComparison.Ordinal);

    /// <summary>The name of a file until it is complete and gets its own name.</summary>
    public static string TemporaryName(string name, int processId) => string.Create(CultureInfo.InvariantCulture, $".{name}.{processId}.tmp");

    /// <summary>The name that a temporary file will get; null when the name is not that of a temporary file.</summary>
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

    /// <summary>The name of the file that is written in a period.</summary>
    public string ActiveName(DateTime periodStart) => Make(active, periodStart, 0);

    /// <summary>The name of a finished file, or of a further file of a dated period. Number 0 is the plain name of a dated file.</summary>
    public string NumberedName(DateTime periodStart, long number) =>
        Make(number == 0 && IsDated ? active : numbered, periodStart, number);

    /// <summary>The name under which the successor of a fixed active file is created before it takes its place.</summary>
    public string SuccessorName(int processId) => TemporaryName(ActiveName(DateTime.MinValue), processId);

    /// <summary>Returns true if a name is exactly one that this set gives to successors.</summary>
    public bool IsSuccessorName(string name) => !IsDated && TemporaryOf(name) == ActiveName(DateTime.MinValue);

    /// <summary>Returns true if a name is exactly one that this set gives to compressed files until they are complete.</summary>
    public bool IsCompressingName(string name) => TemporaryOf(name) is { } target && IsCompressed(target) && TryParseExact(target[..^Gzip.Length], out _);

    /// <summary>Returns true if a name is exactly one that this set gives: to archives, compressed or not, or to dated files.</summary>
    public bool TryParse(string name, out ArchiveKey key) =>
        TryParseExact(name, out key) || (IsCompressed(name) && TryParseExact(name[..^Gzip.Length], out key));

    private bool TryParseExact(string name, out ArchiveKey key) => TryParseExact(numbered, name, out key) || (IsDated && TryParseExact(active, name, out key));

    // All but the number has a fixed width, so a name matches in one way at most.
    private bool TryParseExact(IReadOnlyList<FileNamePiece> pieces, string name, out ArchiveKey key)
    {
        key = default;
        int left = name.Length;
        foreach (FileNamePiece piece in pieces)
            left -= piece.Text.Length;
        long number = 0;
        var units = new Dictionary<string, string>(StringComparer.Ordinal);
        ReadOnlySpan<char> rest = name;
        foreach (FileNamePiece piece in pieces)
        {
            bool isNumber = piece.Kind == FileNamePieceKind.Number;
            int width = isNumber ? left : piece.Text.Length;
            if (width < 0 || width > rest.Length || (isNumber && width is < FewestDigits or > MostDigits))
                return false;
            ReadOnlySpan<char> text = rest[..width];
            rest = rest[width..];
            bool fits = isNumber || piece.Kind == FileNamePieceKind.DateUnit ? !text.ContainsAnyExceptInRange('0', '9') : text.SequenceEqual(piece.Text);
            if (!fits)
                return false;
            if (isNumber)
                number = long.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);
            else if (piece.Kind == FileNamePieceKind.DateUnit)
                units[piece.Text.Replace('Y', 'y')] = text.ToString();
        }

        if (!rest.IsEmpty || !TryReadDate(units, out DateTime date))
            return false;
        key = new ArchiveKey(date, number);

        // Refuses too many zeros, dates that contradict each other, a week with a day of another one.
        return (number > 0 || ReferenceEquals(pieces, active)) && NumberedName(date, number) == name;
    }

    private static bool TryReadDate(Dictionary<string, string> units, out DateTime date)
    {
        string Read(string unit, string missing) => units.GetValueOrDefault(unit, missing);
        string year = Read("yyyy", "20" + Read("yy", "")) is { Length: 4 } found ? found : "0001";
        if (!units.TryGetValue("ww", out string? week))
        {
            string digits = year + Read("MM", "01") + Read("dd", "01") + Read("HH", "00") + Read("mm", "00") + Read("ss", "00");
            return DateTime.TryParseExact(digits, "yyyyMMddHHmmss", CultureInfo.InvariantCulture, DateTimeStyles.None, out date);
        }

        int isoYear = int.Parse(year, CultureInfo.InvariantCulture);
        int isoWeek = int.Parse(week, CultureInfo.InvariantCulture);
        bool exists = isoYear > 0 && isoWeek > 0 && isoWeek <= ISOWeek.GetWeeksInYear(isoYear);
        date = exists ? ISOWeek.ToDateTime(isoYear, isoWeek, DayOfWeek.Monday) : default;
        return exists;
    }

    private static string Make(IReadOnlyList<FileNamePiece> pieces, DateTime date, long number)
    {
        var name = new StringBuilder();
        foreach (FileNamePiece piece in pieces)
        {
            name.Append(piece.Kind switch
            {
                FileNamePieceKind.Number => number.ToString("D3", CultureInfo.InvariantCulture),
                FileNamePieceKind.DateUnit => piece.Text switch
                {
                    "ww" => ISOWeek.GetWeekOfYear(date).ToString("D2", CultureInfo.InvariantCulture),
                    "YY" => (ISOWeek.GetYear(date) % 100).ToString("D2", CultureInfo.InvariantCulture),
                    "YYYY" => ISOWeek.GetYear(date).ToString("D4", CultureInfo.InvariantCulture),
                    _ => date.ToString(piece.Text, CultureInfo.InvariantCulture),
                },
                _ => piece.Text,
            });
        }

        return name.ToString();
    }
}

/// <summary>The period and number in the name of a file. The order is that in which files were written.</summary>
/// <param name="Date">The start of the period; the first day of the calendar where the name has no date.</param>
/// <param name="Number">0 for a dated file without a number.</param>
internal readonly record struct ArchiveKey(DateTime Date, long Number) : IComparable<ArchiveKey>
{
    public int CompareTo(ArchiveKey other) => (Date, Number).CompareTo((other.Date, other.Number));
}

/// <summary>The kinds of pieces of a file name.</summary>
internal enum FileNamePieceKind
{
    Text,

    /// <summary>Text inside a date.</summary>
    DateText,

    /// <summary>Digits of fixed width: <c>yyyy</c>, <c>yy</c>, <c>MM</c>, <c>ww</c>, <c>dd</c>, <c>HH</c>, <c>mm</c>, <c>ss</c>; <c>YYYY</c> and <c>YY</c> are the ISO year.</summary>
    DateUnit,

    Number,

    /// <summary>Stands for the active name up to its extension; replaced while parsing.</summary>
    Name,

    /// <summary>Stands for the extension of the active name; replaced while parsing.</summary>
    Extension,
}

/// <summary>A piece of a file name.</summary>
internal sealed record FileNamePiece(FileNamePieceKind Kind, string Text)
{
    /// <summary>The unit of a piece of a date; None of other pieces.</summary>
    public FileDateUnits Unit => Kind != FileNamePieceKind.DateUnit ? FileDateUnits.None : Text switch
    {
        "yyyy" or "yy" or "YYYY" or "YY" => FileDateUnits.Year,
        "MM" => FileDateUnits.Month,
        "ww" => FileDateUnits.Week,
        "dd" => FileDateUnits.Day,
        "HH" => FileDateUnits.Hour,
        "mm" => FileDateUnits.Minute,
        "ss" => FileDateUnits.Second,
        _ => FileDateUnits.None,
    };
}
