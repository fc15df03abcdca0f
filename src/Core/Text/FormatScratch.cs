namespace AsyncLog;

/// <summary>What formatters of one thread reuse from record to record. Belongs to one <see cref="LogEvent"/>, so a nested event has its own.</summary>
internal sealed class FormatScratch
{
    /// <summary>A buffer larger than this is not kept, for each thread that logs keeps its own: 32 KB.</summary>
    public const int Keep = 32 << 10;

    private const int ShortestText = 256;
    private const int FirstLimit = 256 << 10;

    /// <summary>How often the limit of a record is rendered before rendering stops.</summary>
    private const int Overshoot = 4;

    /// <summary>A record for an output that is not ours.</summary>
    public RecordBuffer Output => field ??= new RecordBuffer();

    /// <summary>A value that has to be escaped or measured.</summary>
    public RecordBuffer Value => field ??= new RecordBuffer();

    /// <summary>What user code wrote about one object.</summary>
    public RecordBuffer Raw => field ??= new RecordBuffer();

    /// <summary>An aligned hole.</summary>
    public RecordBuffer Aligned => field ??= new RecordBuffer();

    /// <summary>One piece of a record that is cut.</summary>
    public RecordBuffer Piece => field ??= new RecordBuffer();

    /// <summary>Properties and scopes of a record that is cut.</summary>
    public RecordBuffer Kept => field ??= new RecordBuffer();

    /// <summary>Notes where the members of JSON lie while a record is cut; null while nobody asks.</summary>
    public JsonMarks? Marks { get; set; }

    public TimestampCache Timestamps { get; } = new();

    /// <summary>Values that threw since the owner last set this to zero.</summary>
    public int Errors { get; set; }

    /// <summary>The most bytes, characters and elements of one value that are rendered.</summary>
    public int ValueLimit { get; set; } = FirstLimit;

    /// <summary>Elements of collections rendered for the current value; bounds nested and repeated ones.</summary>
    public int Elements { get; set; }

    /// <summary>The <see cref="ValueLimit"/> for records of a size.</summary>
    public static int LimitFor(int maxRecordSize) => (int)Math.Min((long)maxRecordSize * Overshoot, Array.MaxLength / 2);

    /// <summary>Begins a text of which so many bytes are wanted.</summary>
    public void Want(int length)
    {
        ValueLimit = LimitFor(Math.Max(length, ShortestText));
        Errors = 0;
    }

    /// <summary>The part of a text that is worth rendering.</summary>
    public ReadOnlySpan<char> Bounded(string text) => text.Length <= ValueLimit ? text : text.AsSpan(0, ValueLimit);

    /// <summary>An empty <see cref="Value"/>.</summary>
    public RecordBuffer NewValue()
    {
        Elements = 0;
        Value.Reset(ValueLimit);
        return Value;
    }

    /// <summary>Gives back what a huge record needed, except for <see cref="Output"/>.</summary>
    public void Trim()
    {
        Value.Trim(Keep);
        Raw.Trim(Keep);
        Aligned.Trim(Keep);
        Piece.Trim(Keep);
        Kept.Trim(Keep);
    }
}
