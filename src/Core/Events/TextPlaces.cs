using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace AsyncLog;

/// <summary>Where the text of a value is in a record.</summary>
internal readonly struct TextPlace(int start, int length)
{
    private const int Block = 2 * sizeof(ulong);

    private readonly int _start = start;
    private readonly int _length = length;

    /// <summary>Copies the text to another place of the record, and up to 32 bytes after it that do not count.</summary>
    /// <param name="record">The record, with at least 32 bytes from the start of the text on.</param>
    /// <param name="to">Where the text goes, followed by at least 32 bytes.</param>
    /// <returns>The length of the text; <see cref="PlainType.NotPlain"/>: there is no room for it and one more byte.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int TryCopy(Span<byte> record, int to)
    {
        if (_length > 2 * Block)
            return record.Slice(_start, _length).TryCopyTo(record[to..^1]) ? _length : PlainType.NotPlain;
        ArgumentOutOfRangeException.ThrowIfGreaterThan(Math.Max(_start, to) + (2 * Block), record.Length);
        ref var first = ref MemoryMarshal.GetReference(record);
        var (low, high) = (Vector128.LoadUnsafe(ref first, (nuint)_start), Vector128.LoadUnsafe(ref first, (nuint)(_start + Block)));
        low.StoreUnsafe(ref first, (nuint)to);
        high.StoreUnsafe(ref first, (nuint)(to + Block));
        return _length;
    }
}

/// <summary>The places of the texts that are copied. Implemented by structs, so that the loop over the parts is compiled for each.</summary>
internal interface ITextPlaces
{
    /// <summary>True if texts are copied.</summary>
    static abstract bool AreCopied { get; }

    /// <summary>True if there are inserts.</summary>
    static abstract bool HasInserts { get; }

    void Note(int place, TextPlace text);

    TextPlace Find(int place);

    /// <summary>Writes an insert; returns its length, <see cref="PlainType.NotPlain"/> if there is no room.</summary>
    int Insert(int insert, Span<byte> room);
}

/// <summary>No text is copied.</summary>
internal readonly struct NoTextPlaces : ITextPlaces
{
    public static bool AreCopied => false;

    public static bool HasInserts => false;

    public void Note(int place, TextPlace text)
    {
        // never read
    }

    public TextPlace Find(int place) => default;

    public int Insert(int insert, Span<byte> room) => PlainType.NotPlain;
}

/// <summary>A place for each <see cref="FastPathPart.Place"/>; the first is that of all other texts.</summary>
[InlineArray(Most + 1)]
internal struct TextPlaces : ITextPlaces
{
    /// <summary>The maximum number of texts that are copied.</summary>
    public const int Most = 15;

    [SuppressMessage("Roslynator", "RCS1213", Justification = "The element of the inline array.")]
    private TextPlace _first;

    public static bool AreCopied => true;

    public static bool HasInserts => false;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Note(int place, TextPlace text) => this[place] = text;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly TextPlace Find(int place) => this[place];

    public readonly int Insert(int insert, Span<byte> room) => PlainType.NotPlain;
}

/// <summary>The same with inserts.</summary>
internal struct InsertedPlaces(IInserts inserts) : ITextPlaces
{
    private TextPlaces _places;

    public static bool AreCopied => true;

    public static bool HasInserts => true;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Note(int place, TextPlace text) => _places[place] = text;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly TextPlace Find(int place) => _places[place];

    public readonly int Insert(int insert, Span<byte> room)
    {
        var text = inserts.Insert(insert);
        return text.TryCopyTo(room) ? text.Length : PlainType.NotPlain;
    }
}
