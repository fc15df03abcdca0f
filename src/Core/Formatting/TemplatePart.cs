namespace AsyncLog;

/// <summary>A literal or a hole of a text template.</summary>
/// <param name="Hole">What it is.</param>
/// <param name="Text">The literal's text, or the name in the braces.</param>
/// <param name="Width">The least width; negative aligns left, 0 not at all.</param>
/// <param name="Format">What follows the colon, or null.</param>
internal sealed record TemplatePart(TextHole Hole, string Text, int Width = 0, string? Format = null);
