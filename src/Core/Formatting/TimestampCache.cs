namespace AsyncLog;

/// <summary>The text of the current second in the formats one thread uses. Few at a time, so a short list that is searched.</summary>
internal sealed class TimestampCache
{
    private const int Size = 4;
    private readonly Entry[] _entries = [new(), new(), new(), new()];
    private int _next;

    public Entry Find(TimestampFormat owner)
    {
        foreach (var entry in _entries)
        {
            if (ReferenceEquals(entry.Owner, owner))
                return entry;
        }
        var oldest = _entries[_next];
        _next = (_next + 1) % Size;
        oldest.Owner = owner;
        oldest.Start = Entry.None;
        return oldest;
    }

    internal sealed class Entry
    {
        /// <summary>The start of no second.</summary>
        public const long None = long.MinValue / 2;

        public TimestampFormat? Owner { get; set; }

        /// <summary>The UTC ticks at which the second of the text begins.</summary>
        public long Start { get; set; } = None;

        /// <summary>The text with zeros for the fraction, escaped.</summary>
        public RecordBuffer Text => field ??= new RecordBuffer();

        /// <summary>The same with another fraction, to find its digits.</summary>
        public RecordBuffer Sample => field ??= new RecordBuffer();

        /// <summary>Where the digits of the fraction are.</summary>
        public int FractionAt { get; set; }

        /// <summary>How many there are, or -1 when they cannot be patched.</summary>
        public int FractionDigits { get; set; }
    }
}
