namespace AsyncLog.Bench;

/// <summary>A table in Markdown, padded so that it reads as well on a terminal.</summary>
internal static class TableText
{
    /// <summary>Lines of a table; the first column is left-aligned and so are the next, up to the first that holds numbers.</summary>
    /// <param name="headings">One per column.</param>
    /// <param name="rows">Cells.</param>
    /// <param name="words">How many columns from the left hold words; the others are right-aligned.</param>
    public static IEnumerable<string> Lines(IReadOnlyList<string> headings, IReadOnlyList<IReadOnlyList<string>> rows, int words)
    {
        var widths = headings.Select((heading, column) => rows.Select(row => row[column].Length).Append(heading.Length).Max()).ToArray();
        yield return Line(headings, widths, words);
        yield return "|" + string.Join('|', widths.Select((width, column) => column < words ? new string('-', width + 2) : new string('-', width + 1) + ":")) + "|";
        foreach (var row in rows)
            yield return Line(row, widths, words);
    }

    private static string Line(IReadOnlyList<string> cells, int[] widths, int words)
        => "| " + string.Join(" | ", cells.Select((cell, column) => column < words ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column]))) + " |";
}
