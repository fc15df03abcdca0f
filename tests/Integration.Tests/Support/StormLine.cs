using System.Globalization;
using System.Text.RegularExpressions;

namespace AsyncLog.Tests.Support;

/// <summary>A line of the victim: thread, number, and an end that shows that it is whole.</summary>
internal readonly partial record struct StormLine(int Thread, long Number)
{
    /// <summary>Null when the line is none of a storm, or not whole.</summary>
    public static StormLine? Parse(string line) =>
        Whole().Match(line) is { Success: true } match
            ? new StormLine(int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture), long.Parse(match.Groups[2].Value, CultureInfo.InvariantCulture))
            : null;

    /// <summary>Lines that are neither whole nor AsyncLog's own.</summary>
    public static string[] Torn(IEnumerable<string> lines) =>
        [.. lines.Where(static line => Parse(line) is null && !line.Contains(" AsyncLog: ", StringComparison.Ordinal))];

    /// <summary>The numbers of a thread, in the order of the lines.</summary>
    public static long[] Numbers(IEnumerable<string> lines, int thread) =>
        [.. lines.Select(Parse).OfType<StormLine>().Where(line => line.Thread == thread).Select(static line => line.Number)];

    [GeneratedRegex(@"^\d{4}-\d\d-\d\d [^\[]+\[\w{3}\] Storm: (\d+) (\d+) x*\.$")]
    private static partial Regex Whole();
}
