using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace AsyncLog.Mutants;

/// <summary>How the choice between the changed text and the original is written.</summary>
internal enum PlaceKind
{
    /// <summary>A conditional expression.</summary>
    Expression,

    /// <summary>An if statement.</summary>
    Statement,

    /// <summary>A block that takes the place of an arrow and its expression.</summary>
    Body,
}

/// <summary>A part of a changed text: new text, or a piece of the source.</summary>
internal readonly record struct Part(string Text, TextSpan? Source)
{
    public static implicit operator Part(string text) => new(text, null);

    public static implicit operator Part(SyntaxNode node) => new(node.ToString(), node.Span);
}

/// <summary>A place of the source that a mutant changes.</summary>
/// <param name="File">The path below the root of the repository.</param>
/// <param name="Line">The first line, from 1.</param>
/// <param name="Span">What is replaced.</param>
/// <param name="Kind">How it is replaced.</param>
/// <param name="Original">The text without the mutant.</param>
/// <param name="Changed">The text with the mutant; none: the statement or body is left out.</param>
internal sealed record Place(string File, int Line, TextSpan Span, PlaceKind Kind, Part Original, IReadOnlyList<Part> Changed)
{
    public string ChangedText => Changed.Count == 0 ? "(left out)" : string.Concat(Changed.Select(static part => part.Text));

    public override string ToString() => $"{File}:{Line}\n    {OneLine(Original.Text)}\n    {OneLine(ChangedText)}";

    private static string OneLine(string text) => string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
}
