using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace AsyncLog.Tests.Documents;

/// <summary>The rows of a document that says which tests cover what: the last cell of a row names them, as <c>Class.Method</c> in backticks.</summary>
internal static partial class CoverageTable
{
    private const string NotCovered = "not covered: ";
    private static readonly string[] Kinds = ["Fact", "Theory"];

    /// <summary>Every test of the sources under <c>tests/</c>, as <c>Class.Method</c>.</summary>
    public static IReadOnlySet<string> Tests { get; } = Read();

    /// <summary>The rows of all tables of a document, without their headings.</summary>
    public static IReadOnlyList<string[]> RowsOf(string text)
    {
        string[] lines = text.ReplaceLineEndings("\n").Split('\n');
        return [.. lines.Where((line, index) => IsRow(line) && !Separator().IsMatch(line) && !(index + 1 < lines.Length && Separator().IsMatch(lines[index + 1])))
            .Select(static line => line.Trim().Trim('|').Split('|', StringSplitOptions.TrimEntries))];
    }

    /// <summary>What is wrong with a row: it names a test that does not exist, or neither a test nor the reason why there is none.</summary>
    public static IEnumerable<string> MistakesIn(string[] row, IReadOnlySet<string> tests)
    {
        if (row.Length != 3 || row.Any(string.IsNullOrEmpty))
            return [$"{row[0]}: a row has three cells"];
        string[] named = [.. TestName().Matches(row[2]).Select(static match => match.Groups["name"].Value)];
        if (named.Length == 0 && !HasReason(row[2]))
            return [$"{row[0]}: no test, and no '{NotCovered}' with a reason"];
        return named.Where(name => !tests.Contains(name)).Select(name => $"{row[0]}: there is no test {name}");
    }

    private static bool HasReason(string cell)
        => cell.IndexOf(NotCovered, StringComparison.Ordinal) is >= 0 and var at && cell.Length > at + NotCovered.Length;

    private static bool IsRow(string line) => line.TrimStart().StartsWith('|');

    private static HashSet<string> Read()
    {
        var tests = new HashSet<string>(StringComparer.Ordinal);
        foreach (var file in Directory.EnumerateFiles(Path.Combine(Repository.Root, "tests"), "*.cs", SearchOption.AllDirectories))
        {
            var text = File.ReadAllText(file);
            if (!Array.Exists(Kinds, kind => text.Contains($"[{kind}", StringComparison.Ordinal)))
                continue;
            foreach (var method in CSharpSyntaxTree.ParseText(text).GetCompilationUnitRoot().DescendantNodes().OfType<MethodDeclarationSyntax>())
            {
                if (method.Parent is TypeDeclarationSyntax type && method.AttributeLists.SelectMany(static list => list.Attributes).Any(static attribute => Kinds.Contains(attribute.Name.ToString())))
                    tests.Add($"{type.Identifier.Text}.{method.Identifier.Text}");
            }
        }

        return tests;
    }

    [GeneratedRegex(@"^\s*\|(\s*:?-+:?\s*\|)+\s*$", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Separator();

    [GeneratedRegex(@"`(?<name>\w+\.\w+)`", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex TestName();
}
