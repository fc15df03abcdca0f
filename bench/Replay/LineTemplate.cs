using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace Replay;

/// <summary>A template as log parsers write it, <c>Received block &lt;*&gt; of size &lt;*&gt;</c>, as a message template, and the values of lines that match it.</summary>
internal sealed class LineTemplate
{
    private const string Hole = "<*>";
    private static readonly TimeSpan MostTime = TimeSpan.FromSeconds(1);
    private readonly Regex _pattern;

    public LineTemplate(string text)
    {
        var literals = text.Split(Hole);
        _pattern = new Regex(
            "^" + string.Join("(.*?)", literals.Select(Regex.Escape)) + "$", RegexOptions.Singleline | RegexOptions.CultureInvariant, MostTime);
        HoleCount = literals.Length - 1;
        var template = new StringBuilder(literals[0].Replace("{", "{{").Replace("}", "}}"));
        for (var i = 1; i < literals.Length; i++)
            template.Append(CultureInfo.InvariantCulture, $"{{P{i}}}").Append(literals[i].Replace("{", "{{").Replace("}", "}}"));
        // A call without values is not formatted, so braces of its own would stay doubled: such a line is one value.
        IsUsable = HoleCount > 0 || text.AsSpan().IndexOfAny('{', '}') < 0;
        Text = template.ToString();
    }

    /// <summary>The message template: <c>Received block {P1} of size {P2}</c>.</summary>
    public string Text { get; }

    public int HoleCount { get; }

    private bool IsUsable { get; }

    /// <summary>The values of a line, or null when it does not match.</summary>
    public object?[]? Match(string line)
    {
        var match = IsUsable ? _pattern.Match(line) : System.Text.RegularExpressions.Match.Empty;
        return match.Success ? [.. Enumerable.Range(1, HoleCount).Select(hole => ValueOf(match.Groups[hole].Value))] : null;
    }

    /// <summary>A number where its text is exactly what the number's text would be, so that the message stays what it was.</summary>
    private static object ValueOf(string text)
        => long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number)
            && number.ToString(CultureInfo.InvariantCulture) == text
            ? number
            : text;
}
