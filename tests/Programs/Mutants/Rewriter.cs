using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace AsyncLog.Mutants;

/// <summary>Writes mutants into the text of a source file. Mutants may stand in one another.</summary>
internal static partial class Rewriter
{
    public static string Rewrite(string source, IEnumerable<Mutant> mutants)
    {
        var ordered = mutants.OrderBy(static mutant => mutant.Place.Span.Start).ThenByDescending(static mutant => mutant.Place.Span.End);
        return Render(source, new(0, source.Length), [.. ordered.ThenBy(static mutant => mutant.Id)]);
    }

    /// <summary>The mutants of the member that contains a line of a rewritten source.</summary>
    public static IEnumerable<int> MutantsAround(string rewritten, int line)
    {
        var root = CSharpSyntaxTree.ParseText(rewritten).GetRoot();
        var span = SourceText.From(rewritten).Lines[line - 1].Span;
        return root.DescendantNodes().OfType<MemberDeclarationSyntax>()
            .Where(member => member is not BaseTypeDeclarationSyntax and not BaseNamespaceDeclarationSyntax && member.Span.IntersectsWith(span))
            .SelectMany(static member => Choices().Matches(member.ToString()))
            .Select(static match => int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture))
            .Distinct();
    }

    // The mutants are in the order of their start, an outer one before those in it.
    private static string Render(string source, TextSpan span, IReadOnlyList<Mutant> mutants)
    {
        var text = new StringBuilder();
        var position = span.Start;
        for (var next = 0; next < mutants.Count; next++)
        {
            var mutant = mutants[next];
            if (!span.Contains(mutant.Place.Span) || mutant.Place.Span.Start < position)
                continue;
            text.Append(source, position, mutant.Place.Span.Start - position).Append(Choice(source, mutant, [.. mutants.Skip(next + 1)]));
            position = mutant.Place.Span.End;
        }

        return text.Append(source, position, span.End - position).ToString();
    }

    private static string Choice(string source, Mutant mutant, IReadOnlyList<Mutant> inner)
    {
        var place = mutant.Place;
        var isChosen = string.Create(CultureInfo.InvariantCulture, $"global::PlantedMutants.IsChosen({mutant.Id})");
        var original = Render(source, place.Original.Source!.Value, inner);
        var changed = string.Concat(place.Changed.Select(part => part.Source is { } span ? $"({Render(source, span, inner)})" : part.Text));
        return place.Kind switch
        {
            PlaceKind.Expression => $"({isChosen} ? ({changed}) : ({original}))",
            PlaceKind.Statement => $"{{ if ({isChosen}) {{ {changed} }} else {{ {original} }} }}",
            _ => $"{{ if (!{isChosen}) {{ {original}; }} }}",
        };
    }

    [GeneratedRegex(@"PlantedMutants\.IsChosen\((\d+)\)", RegexOptions.None, 10_000)]
    private static partial Regex Choices();
}
