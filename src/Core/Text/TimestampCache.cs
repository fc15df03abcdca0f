using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace AsyncLog;

/// <summary>The text of the current second in the formats one thread uses. Few, so a short list that is searched.</summary>
internal sealed class TimestampCache
{
    // Far more than one thread meets; an entry takes some 150 bytes.
    private const int Most = 64;
    private readonly List<Entry> _entries = [];
    private int _next;

    /// <summary>A text of <see cref="Find"/>'s caller.</summary>
    public RecordBuffer Text => field ??= new RecordBuffer();

    /// <summary>The same with another fraction, to find its digits.</summary>
    public RecordBuffer Sample => field ??= new RecordBuffer();

    public Entry Find(TimestampFormat owner)
    {
        foreach (var entry in CollectionsMarshal.AsSpan(_entries))
        {
            if (ReferenceEquals(entry.Owner, owner))
                return entry;
        }
        return Add(owner);
    }

    private Entry Add(TimestampFormat owner)
    {
        if (_entries.Count < Most)
        {
            _entries.Add(new Entry { Owner = owner });
            return _entries[^1];
        }
        var oldest = _entries[_next];
        _next = (_next + 1) % Most;
        oldest.Owner = owner;
        oldest.Start = Entry.None;
        return oldest;
    }

    internal sealed class Entry
    {
        /// <summary>The start of no second.</summary>
        public const long None = long.MinValue / 2;

        private byte[] _text = new byte[TimestampFormat.MaxLength];

        public TimestampFormat? Owner { get; set; }

        /// <summary>The UTC ticks at which the second of the text begins.</summary>
        public long Start { get; set; } = None;

        /// <summary>Bytes of the text, which has zeros for the fraction and is escaped.</summary>
        public int Length { get; private set; }

        /// <summary>Where the digits of the fraction are.</summary>
        public int FractionAt { get; set; }

        /// <summary>How many there are, or -1 when they cannot be patched.</summary>
        public int FractionDigits { get; set; }

        public void SetText(ReadOnlySpan<byte> text)
        {
            if (text.Length > _text.Length)
                _text = new byte[text.Length];
            text.CopyTo(_text);
            Length = text.Length;
        }

        /// <summary>Copies the text; a short one as a whole block.</summary>
        /// <param name="destination">As long as the text, and at least <see cref="Utf8Literal.Block"/> bytes.</param>
        public void CopyTo(Span<byte> destination)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(destination.Length, Utf8Literal.Block);
            if (Length <= Utf8Literal.Block)
                Vector256.LoadUnsafe(ref MemoryMarshal.GetArrayDataReference(_text)).StoreUnsafe(ref MemoryMarshal.GetReference(destination));
            else
                _text.AsSpan(0, Length).CopyTo(destination);
        }
    }
}
