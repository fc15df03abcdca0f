namespace AsyncLog.Tests.Documents;

/// <summary>A table of a page that a test fills: it is compared, or written if <c>ASYNCLOG_ACCEPT_TABLES</c> is 1.</summary>
internal static class DocumentTable
{
    /// <summary>Compares the table that begins with a header line to the expected rows.</summary>
    /// <param name="path">The page, relative to the repository.</param>
    /// <param name="header">The first line of the table, which no other table of the page has.</param>
    /// <param name="rows">The lines below the header and its separator.</param>
    public static void Same(string path, string header, IEnumerable<string> rows)
    {
        string[] expected = [header, string.Concat(header.Where(static sign => sign == '|').Skip(1).Select(static _ => "|---")) + "|", .. rows];
        var file = Path.Combine(Repository.Root, path);
        var lines = File.ReadAllText(file).ReplaceLineEndings("\n").Split('\n');
        var start = Array.IndexOf(lines, header);
        Assert.True(start >= 0, $"{path} has no table with the header {header}");
        var end = Array.FindIndex(lines, start, static line => !line.StartsWith('|'));
        if (Environment.GetEnvironmentVariable("ASYNCLOG_ACCEPT_TABLES") == "1")
            File.WriteAllText(file, string.Join('\n', [.. lines[..start], .. expected, .. lines[end..]]));
        else
            Assert.Equal(expected, lines[start..end]);
    }
}
