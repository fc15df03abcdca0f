namespace AsyncLog;

/// <summary>The parts of a template that can be written without user code, compiled for one type of state: a literal, and where the value after it lies.</summary>
/// <param name="next">Those for another type of state with the same template, or null.</param>
internal sealed class FastPathParts(object owner, FastPathPart[] parts, FastPathParts? next)
{
    public readonly object Owner = owner;
    public readonly FastPathParts? Next = next;
    public readonly FastPathPart[] Parts = parts;
}

/// <summary>A part of <see cref="FastPathParts"/>: everything that the loop reads, in one cache line.</summary>
internal readonly struct FastPathPart
{
    /// <summary>The <see cref="Digits"/> of a value without a format.</summary>
    public const int NoFormat = -2;

    public readonly Utf8Literal Literal;
    public readonly PlainType? Type;
    public readonly int Offset;
    public readonly FastPathKind Kind;
    public readonly ValueStyle Style;

    /// <summary>The decimals of a fixed-point format; negative: none, or another format.</summary>
    public readonly sbyte Digits;

    /// <summary>Where the place of the value's text is noted, or found by a part that copies it; 0: it is not copied.</summary>
    public readonly byte Place;

    /// <param name="type">The type of the value of <see cref="FastPathKind.Plain"/>.</param>
    public FastPathPart(in Utf8Literal literal, FastPathKind kind, ValueStyle style, int offset, int digits, PlainType? type)
    {
        Literal = literal;
        Kind = kind;
        Style = style;
        Offset = offset;
        Digits = (sbyte)digits;
        Type = type;
    }

    private FastPathPart(in FastPathPart part, FastPathKind kind, int place)
    {
        this = part;
        Kind = kind;
        Place = (byte)place;
    }

    /// <summary>The part with a place for its text.</summary>
    public FastPathPart NotedAt(int place) => new(this, Kind, place);

    /// <summary>The part with the text that is noted at a place.</summary>
    public FastPathPart CopiedFrom(int place) => new(this, Kind == FastPathKind.Boxed ? FastPathKind.BoxedAgain : FastPathKind.Again, place);
}

/// <summary>How the value of a <see cref="FastPathPart"/> is written.</summary>
internal enum FastPathKind : byte
{
    /// <summary>Not here: the part is written by <see cref="MessageRenderer"/>.</summary>
    Other,

    /// <summary>There is no value.</summary>
    None,
    String,
    Int32,
    Int64,

    /// <summary>A <see cref="double"/> with fixed decimals.</summary>
    Fixed,

    /// <summary>A value of a <see cref="PlainType"/> without a format.</summary>
    Plain,

    /// <summary>A value in a box; the offset is the index in an array of arguments.</summary>
    Boxed,

    /// <summary>No value: what activity and scopes give. The offset is the insert of the layout.</summary>
    Insert,

    /// <summary>A value whose text is in the record already.</summary>
    Again,

    /// <summary>The same in a box, if it is of a type whose text is the same there.</summary>
    BoxedAgain,
}

/// <summary>Texts of a layout that are the same for all records of one activity and its scopes.</summary>
internal interface IInserts
{
    ReadOnlySpan<byte> Insert(int insert);
}
