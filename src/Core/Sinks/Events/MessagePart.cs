namespace AsyncLog;

/// <summary>A literal and the hole after it.</summary>
internal readonly struct MessagePart
{
    // Fields, read in place: a copy of a literal per record costs as much as the literal itself.

    /// <summary>The literal, unless <see cref="LiteralText"/> has it.</summary>
    public readonly Utf8Literal Literal;

    /// <summary>The literal as text where it begins or ends with half a surrogate pair.</summary>
    public readonly string? LiteralText;

    /// <summary>The number of the value after the literal; negative: none.</summary>
    public readonly int Hole;

    /// <summary>The least width in UTF-16 units; negative: the value stands left.</summary>
    public readonly int Alignment;

    public readonly string? Format;

    /// <summary>Decimals of a fixed-point format that <see cref="FixedPoint"/> may render; negative: another format.</summary>
    public readonly int FixedDigits;

    /// <summary>Whether the literal is short and the value stands as it is.</summary>
    public readonly bool IsShort;

    private const int NoHole = -1;

    public MessagePart(string literal)
        : this(literal, NoHole, 0, null)
    {
    }

    public MessagePart(string literal, int hole, int alignment, string? format)
    {
        // Half a surrogate pair at an edge may meet its other half in a value, so such a literal stays text.
        var isSplit = literal.Length > 0 && (char.IsLowSurrogate(literal[0]) || char.IsHighSurrogate(literal[^1]));
        LiteralText = isSplit ? literal : null;
        Literal = new Utf8Literal(isSplit ? "" : literal);
        Hole = hole;
        Alignment = alignment;
        Format = format;
        FixedDigits = FixedPoint.DigitsOf(format);
        IsShort = !isSplit && Literal.Length <= Utf8Literal.Block && alignment == 0;
    }
}
