using System.Text;

namespace Replay;

/// <summary>A table of comma-separated values with a line of names (RFC 4180).</summary>
internal sealed class CsvTable
{
    private readonly Dictionary<string, int> _columns;

    private CsvTable(List<string[]> rows)
    {
        _columns = rows[0].Select(static (name, index) => (name, index)).DistinctBy(static column => column.name).ToDictionary(static column => column.name, static column => column.index);
        rows.RemoveAt(0);
        Rows = rows;
    }

    public IReadOnlyList<string[]> Rows { get; }

    /// <exception cref="UsageException">The file has no columns, or a quote does not end.</exception>
    public static CsvTable Read(string path)
    {
        var rows = new List<string[]>();
        var row = new List<string>();
        var field = new StringBuilder();
        var isQuoted = false;
        var text = File.ReadAllText(path);
        for (var i = 0; i < text.Length; i++)
        {
            var c = text[i];
            if (isQuoted && c == '"' && i + 1 < text.Length && text[i + 1] == '"')
                field.Append(text[++i]);
            else if (c == '"')
                isQuoted = !isQuoted;
            else if (isQuoted || c is not (',' or '\n' or '\r'))
                field.Append(c);
            else if (c == ',')
                End(row, field);
            else if (c == '\n')
                EndRow(rows, row, field);
        }
        if (field.Length > 0 || row.Count > 0)
            EndRow(rows, row, field);
        return isQuoted || rows.Count == 0 ? throw new UsageException($"{path} is not a table of comma-separated values") : new CsvTable(rows);
    }

    /// <summary>A field of a row; null when the table has no such column.</summary>
    public string? Field(string[] row, string column)
        => _columns.TryGetValue(column, out var index) && index < row.Length ? row[index] : null;

    private static void End(List<string> row, StringBuilder field)
    {
        row.Add(field.ToString());
        field.Clear();
    }

    private static void EndRow(List<string[]> rows, List<string> row, StringBuilder field)
    {
        End(row, field);
        rows.Add([.. row]);
        row.Clear();
    }
}
