namespace AsyncLog;

/// <summary>A part of a text template made ready: constants are bytes, formats are parsed.</summary>
internal sealed class TextPiece
{
    /// <summary><see cref="Bytes"/>, ready to be written; read in place.</summary>
    public readonly Utf8Literal Literal = new("");

    public required TextHole Hole { get; init; }

    /// <summary>The bytes of a literal; what comes before scopes that are not empty; the line end that stands for a missing exception.</summary>
    public byte[] Bytes
    {
        get;
        init
        {
            field = value;
            Literal = new Utf8Literal(value);
        }
    } = [];

    /// <summary>Spaces behind scopes that are not empty.</summary>
    public byte[] AfterScopes { get; init; } = [];

    /// <summary>The least width; negative aligns left, 0 not at all.</summary>
    public int Width { get; init; }

    /// <summary>The piece without its width; itself when it has none.</summary>
    public TextPiece Unaligned => field ??= Width == 0 ? this : With(0);

    /// <summary>The property's name.</summary>
    public string Name { get; init; } = "";

    /// <summary>The property's format, or null.</summary>
    public string? Format { get; init; }

    /// <summary>The time stamp's format.</summary>
    public TimestampFormat? Timestamp { get; init; }

    /// <summary>The texts by level, with the literals around them.</summary>
    public byte[][] Levels
    {
        get;
        init
        {
            field = value;
            LevelTexts = Array.ConvertAll(value, static text => new Utf8Literal(text));
        }
    } = [];

    /// <summary><see cref="Levels"/>, ready to be written.</summary>
    public Utf8Literal[] LevelTexts { get; private init; } = [];

    /// <summary>Text around a level that has no name.</summary>
    public byte[] AfterLevel { get; init; } = [];

    /// <summary>Whether only the last segment of the category is wanted.</summary>
    public bool IsShort { get; init; }

    private TextPiece With(int width) => new()
    {
        Hole = Hole,
        Bytes = Bytes,
        Width = width,
        Name = Name,
        Format = Format,
        Timestamp = Timestamp,
        Levels = Levels,
        AfterLevel = AfterLevel,
        IsShort = IsShort,
    };
}
