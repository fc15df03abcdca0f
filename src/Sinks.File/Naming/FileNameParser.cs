using System.Text;

namespace AsyncLog;

/// <summary>A rule that a configured name breaks.</summary>
/// <param name="IsArchiveName">True if the archive name breaks it, not the path.</param>
internal sealed record FileNameError(string Rule, bool IsArchiveName);

/// <summary>Parses the configured names of a file set.</summary>
internal static class FileNameParser
{
    private const long LargestNumberWithinLength = 999_999;
    private const string AllowedDates = "a date in a file name is made of yyyy, MM, dd, HH, mm, ss and ww; put other letters between '";

    private const string Unordered =
        "the date must begin with the year and must not omit a unit before a smaller one (yyyy-MM-dd), or the newest files would count as the oldest";

    /// <param name="name">The file name of the path: all tokens expanded but <c>{Date}</c>, braces doubled.</param>
    /// <param name="interval">Gives <c>{Date}</c> its format where it has none.</param>
    /// <param name="error">The rule that is broken, and whether it is one of the archive name.</param>
    public static FileNamePattern? Parse(string name, string archiveName, RollingInterval interval, out FileNameError? error)
    {
        List<FileNamePiece> active = [];
        string? problem = Split(name, isArchive: false, interval, active) ?? (active.Count == 0 ? "expected a file name" : Unprintable(name));
        bool isDated = active.Exists(static piece => piece.Kind == FileNamePieceKind.DateUnit);
        FileDateUnits units = FileNamePattern.UnitsOf(active);
        problem ??= isDated && !units.DistinguishesPeriods(interval) ? $"the date in the name must differ for every {interval}"
            : isDated && !units.SortsByTime() ? Unordered
            : null;
        error = problem is null ? null : new FileNameError(problem, IsArchiveName: false);
        if (error is not null)
            return null;

        (List<FileNamePiece> stem, string extension) = SplitExtension(active);
        List<FileNamePiece>? numbered = isDated
            ? [.. stem, new(FileNamePieceKind.Text, "."), new(FileNamePieceKind.Number, ""), new(FileNamePieceKind.Text, extension)]
            : ArchivePieces(archiveName, stem, extension, interval, out problem);
        if (numbered is null)
        {
            error = new FileNameError(problem!, IsArchiveName: true);
            return null;
        }

        var pattern = new FileNamePattern(active, numbered);
        int longest = LongestOf(pattern);
        if (longest <= FileNamePattern.LongestName)
            return pattern;
        error = new FileNameError($"file names would be {longest} bytes long; the limit is {FileNamePattern.LongestName}", IsArchiveName: false);
        return null;
    }

    /// <summary>The rule an archive name breaks whatever the path is; null when it breaks none.</summary>
    public static string? CheckArchiveName(string archiveName, RollingInterval interval)
    {
        ArchivePieces(archiveName, [new(FileNamePieceKind.Text, "name")], ".log", interval, out string? problem);
        return problem;
    }

    /// <summary>The rule that a name with control characters breaks; null when it has none.</summary>
    public static string? Unprintable(string name) => name.AsSpan().ContainsAnyInRange('\0', '\u001f') || name.Contains('\u007f')
        ? "must not contain control characters"
        : null;

    /// <summary>The format of a date that has none.</summary>
    public static string DefaultDate(RollingInterval interval) => interval switch
    {
        RollingInterval.Year => "yyyy",
        RollingInterval.Month => "yyyy-MM",
        RollingInterval.Week => "yyyy-'W'ww",
        RollingInterval.Hour => "yyyy-MM-dd-HH",
        RollingInterval.Minute => "yyyy-MM-dd-HHmm",
        _ => "yyyy-MM-dd",
    };

    /// <summary>Adds the pieces of a date format: a subset of .NET's, and <c>ww</c> for the ISO week, which makes <c>yyyy</c> the ISO year.</summary>
    /// <returns>The broken rule; null: none.</returns>
    public static string? AddDate(string format, List<FileNamePiece> pieces)
    {
        int first = pieces.Count;
        for (int position = 0; position < format.Length;)
        {
            char letter = format[position];
            if (letter is '\'' or '"')
            {
                int end = format.IndexOf(letter, position + 1);
                if (end < 0)
                    return AllowedDates;
                AddText(FileNamePieceKind.DateText, format[(position + 1)..end], pieces);
                position = end + 1;
                continue;
            }

            int width = format.AsSpan(position).IndexOfAnyExcept(letter) is >= 0 and var run ? run : format.Length - position;
            string same = format.Substring(position, width);
            var unit = new FileNamePiece(FileNamePieceKind.DateUnit, same);
            if (letter != 'Y' && unit.Unit != FileDateUnits.None)
                pieces.Add(unit);
            else if (letter is 'w' or '%' or '\\' or '{' or '}' || "dfFghHKmMstyz".Contains(letter))
                return AllowedDates;
            else
                AddText(FileNamePieceKind.DateText, same, pieces);
            position += width;
        }

        FileDateUnits units = FileNamePattern.UnitsOf(pieces.Skip(first));
        for (int i = first; i < pieces.Count && units.HasFlag(FileDateUnits.Week); i++)
        {
            if (pieces[i] is { Kind: FileNamePieceKind.DateUnit, Text: "yyyy" or "yy" } year)
                pieces[i] = year with { Text = year.Text.ToUpperInvariant() };
        }

        return units == FileDateUnits.None ? AllowedDates : null;
    }

    // Returns the broken rule; null: none.
    private static string? Split(string text, bool isArchive, RollingInterval interval, List<FileNamePiece> pieces)
    {
        var literal = new StringBuilder();
        for (int position = 0; position < text.Length; position++)
        {
            char character = text[position];
            if (character is not ('{' or '}'))
            {
                literal.Append(character);
            }
            else if (position + 1 < text.Length && text[position + 1] == character)
            {
                literal.Append(character);
                position++;
            }
            else
            {
                int end = character == '{' ? text.IndexOf('}', position) : -1;
                if (end < 0)
                    return $"'{character}' stands alone: write {character}{character} for a brace";
                AddText(FileNamePieceKind.Text, literal.ToString(), pieces);
                literal.Clear();
                if (AddToken(text[(position + 1)..end], isArchive, interval, pieces) is { } problem)
                    return problem;
                position = end;
            }
        }

        AddText(FileNamePieceKind.Text, literal.ToString(), pieces);
        return null;
    }

    private static string? AddToken(string text, bool isArchive, RollingInterval interval, List<FileNamePiece> pieces)
    {
        int colon = text.IndexOf(':');
        string token = colon < 0 ? text : text[..colon];
        if (token.Equals("Date", StringComparison.OrdinalIgnoreCase))
            return AddDate(colon < 0 ? DefaultDate(interval) : text[(colon + 1)..], pieces);
        if (!isArchive)
            return $"{{{token}}} is not allowed here";
        FileNamePieceKind? kind = token.ToUpperInvariant() switch
        {
            "NAME" => FileNamePieceKind.Name,
            "EXTENSION" => FileNamePieceKind.Extension,
            "NUMBER" => FileNamePieceKind.Number,
            _ => null,
        };
        if (kind is null)
            return $"unknown token {{{token}}}; known are {{Name}}, {{Date}}, {{Number}} and {{Extension}}";
        pieces.Add(new FileNamePiece(kind.Value, ""));
        return colon < 0 ? null : $"{{{token}}} takes no format";
    }

    private static void AddText(FileNamePieceKind kind, string text, List<FileNamePiece> pieces)
    {
        if (text.Length > 0)
            pieces.Add(new FileNamePiece(kind, text));
    }

    private static List<FileNamePiece>? ArchivePieces(
        string archiveName, List<FileNamePiece> stem, string extension, RollingInterval interval, out string? problem)
    {
        List<FileNamePiece> pieces = [];
        problem = Split(archiveName, isArchive: true, interval, pieces) ?? Unprintable(archiveName);
        if (problem is not null)
            return null;
        FileDateUnits units = FileNamePattern.UnitsOf(pieces);
        problem = pieces.Exists(static piece => piece.Text.AsSpan().ContainsAny('/', '\\')) ? "must be a file name without a directory"
            : pieces.FindIndex(IsNumber) is var index && (index < 0 || index != pieces.FindLastIndex(IsNumber)) ? "must contain {Number} exactly once"
            : interval != RollingInterval.None && units == FileDateUnits.None ? "must contain {Date} because RollingInterval is not None"
            : units != FileDateUnits.None && !units.SortsByTime() ? Unordered
            : null;
        if (problem is not null)
            return null;
        List<FileNamePiece> replaced = [];
        foreach (FileNamePiece piece in pieces)
        {
            if (piece.Kind == FileNamePieceKind.Name)
                replaced.AddRange(stem);
            else
                replaced.Add(piece.Kind == FileNamePieceKind.Extension ? new(FileNamePieceKind.Text, extension) : piece);
        }

        return replaced;
    }

    private static bool IsNumber(FileNamePiece piece) => piece.Kind == FileNamePieceKind.Number;

    /// <summary>The extension is what follows the last dot of fixed text at the end of a name.</summary>
    private static (List<FileNamePiece> Stem, string Extension) SplitExtension(List<FileNamePiece> name)
    {
        string text = name[^1].Kind == FileNamePieceKind.Text ? name[^1].Text : "";
        int dot = text.LastIndexOf('.');
        return dot < 0 ? (name, "") : ([.. name[..^1], new(FileNamePieceKind.Text, text[..dot])], text[dot..]);
    }

    private static int LongestOf(FileNamePattern pattern)
    {
        // Every date has the same length.
        string numbered = FileNamePattern.TemporaryName(FileNamePattern.CompressedName(pattern.NumberedName(DateTime.MinValue, LargestNumberWithinLength)), FileNamePattern.LargestProcessId);
        string successor = pattern.IsDated ? "" : pattern.SuccessorName(FileNamePattern.LargestProcessId);
        return Math.Max(Encoding.UTF8.GetByteCount(numbered), Encoding.UTF8.GetByteCount(successor));
    }
}
