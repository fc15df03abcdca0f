namespace AsyncLog.Bench;

/// <summary>What a mode measures and how: sentences, some of which belong to certain rows and stand only where such a row is.</summary>
internal sealed class MethodText
{
    private readonly List<(string Text, string[] Rows)> _sentences = [];

    public static implicit operator MethodText(string text) => new MethodText().Always(text);

    public MethodText Always(string text) => Where([], text);

    /// <param name="rows">Parts of the load or the library of the rows that it speaks of; one of them is enough.</param>
    /// <param name="text">One or several sentences.</param>
    public MethodText Where(string[] rows, string text)
    {
        _sentences.Add((text.Trim(), rows));
        return this;
    }

    /// <summary>The text for a table with these rows.</summary>
    public string Of(IEnumerable<(string Load, string Library)> table)
    {
        var rows = table.Select(static row => $"{row.Load}, {row.Library}").ToList();
        return string.Join(' ', _sentences.Where(sentence => sentence.Rows.Length == 0 || sentence.Rows.Any(part => rows.Exists(row => row.Contains(part, StringComparison.Ordinal)))).Select(static sentence => sentence.Text));
    }
}
