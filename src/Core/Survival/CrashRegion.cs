using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>One mapped file with the segments of one queue. What is in it when the process is killed is found by the next one.</summary>
/// <remarks>
/// <para>Header page: magic (8), CRC-32C of the next 48 bytes (4), zeros (4), wire id (8), process id (8), time of creation in UTC ticks (8), segments (4), slots
/// and bytes of one (4, 4), length of the names (4), zeros (8); at 64 the bytes of the names in use (8). Then the names of the categories in the order of their
/// numbers, each with its length (4); then the blocks of <see cref="SegmentMemory"/>.</para>
/// <para>Nothing is written to it but what the queue writes to its memory anyway, and the names. The magic is written last and taken away first: a file
/// without it holds nothing.</para>
/// </remarks>
internal sealed unsafe class CrashRegion : IDisposable
{
    private const int HeaderLength = 4096;
    private const int CoveredFrom = 16;
    private const int CoveredLength = 48;
    private const int NamesUsed = 64;

    // The last byte of the magic.
    private const long VersionByte = 0xFFL << 56;

    // More names than an application has; records of further categories lose theirs.
    private const int NamesLength = 256 << 10;
    private readonly ICrashFile _file;
    private readonly CategoryTable _categories;
    private bool _areNamesFull;
    private bool _isDisposed;

    /// <summary>Makes the file a region.</summary>
    /// <param name="file">A new file of <see cref="LengthOf"/> bytes, which the region owns.</param>
    /// <param name="categories">Names of the categories; those that come later are added.</param>
    /// <param name="nowTicks">The time, UTC.</param>
    public CrashRegion(ICrashFile file, QueueBounds bounds, ulong wireId, CategoryTable categories, long nowTicks)
    {
        _file = file;
        _categories = categories;
        // Touched here: the memory is allocated already, and callers would pay for the first access to each page.
        for (long at = 0; at < file.Length; at += Environment.SystemPageSize)
            file.Address[at] = 0;
        var header = new Span<byte>(file.Address, HeaderLength);
        BinaryPrimitives.WriteUInt64LittleEndian(header[16..], wireId);
        BinaryPrimitives.WriteInt64LittleEndian(header[24..], Environment.ProcessId);
        BinaryPrimitives.WriteInt64LittleEndian(header[32..], nowTicks);
        BinaryPrimitives.WriteInt32LittleEndian(header[40..], bounds.Segments);
        BinaryPrimitives.WriteInt32LittleEndian(header[44..], bounds.Slots);
        BinaryPrimitives.WriteInt32LittleEndian(header[48..], bounds.SegmentBytes);
        BinaryPrimitives.WriteInt32LittleEndian(header[52..], NamesLength);
        BinaryPrimitives.WriteUInt32LittleEndian(header[8..], SegmentFile.Crc(header.Slice(CoveredFrom, CoveredLength)));
        Bounds = bounds;
        categories.Follow(AddName);
        Volatile.Write(ref MagicWord, Magic);
    }

    /// <summary>The bounds of the queue that it holds.</summary>
    public QueueBounds Bounds { get; }

    private static long Magic => BinaryPrimitives.ReadInt64LittleEndian("ALCRASH\x01"u8);

    private ref long MagicWord => ref *(long*)_file.Address;

    /// <summary>Bytes of the file for the segments of a queue.</summary>
    public static long LengthOf(QueueBounds bounds) => HeaderLength + NamesLength + (bounds.Segments * SegmentMemory.LengthOf(bounds.Slots, bounds.SegmentBytes));

    /// <summary>The memory of a segment, cleared; each once.</summary>
    public SegmentMemory Block(int index)
        => new(
            _file.Address + HeaderLength + NamesLength + (index * SegmentMemory.LengthOf(Bounds.Slots, Bounds.SegmentBytes)), _file, Bounds.Slots, Bounds.SegmentBytes, isNew: true);

    /// <summary>Deletes the file: nothing in it has to be found any more. The memory stays for a caller that was descheduled.</summary>
    /// <exception cref="LogSinkException">The file could not be deleted; what it holds is not found.</exception>
    public void Dispose()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        _categories.Unfollow(AddName);
        Volatile.Write(ref MagicWord, 0);
        try
        {
            _file.Delete();
        }
        finally
        {
            _file.Dispose();
        }
    }

    /// <summary>Reads what a process left in a file. Its damage is no error: what cannot be read is left out and counted.</summary>
    /// <param name="file">The file, which the result owns.</param>
    /// <param name="left">What is in it; null when the header is damaged or of another version.</param>
    /// <returns>False when the file holds nothing.</returns>
    public static bool TryRead(ICrashFile file, out CrashRegionContents? left)
    {
        left = null;
        if (file.Length < HeaderLength || *(long*)file.Address == 0)
            return false;
        var header = new Span<byte>(file.Address, HeaderLength);
        if (BinaryPrimitives.ReadInt64LittleEndian(header) != Magic
            || BinaryPrimitives.ReadUInt32LittleEndian(header[8..]) != SegmentFile.Crc(header.Slice(CoveredFrom, CoveredLength)))
        {
            return true;
        }

        var segments = BinaryPrimitives.ReadInt32LittleEndian(header[40..]);
        var slots = BinaryPrimitives.ReadInt32LittleEndian(header[44..]);
        var bytes = BinaryPrimitives.ReadInt32LittleEndian(header[48..]);
        var namesLength = BinaryPrimitives.ReadInt32LittleEndian(header[52..]);
        if (segments < 0 || slots < 0 || bytes < 0 || namesLength < 0 || segments > (file.Length - HeaderLength - namesLength) / SegmentMemory.LengthOf(slots, bytes))
            return true;
        left = new CrashRegionContents(file)
        {
            WireId = BinaryPrimitives.ReadUInt64LittleEndian(header[16..]),
            ProcessId = BinaryPrimitives.ReadInt64LittleEndian(header[24..]),
            CreatedTicks = BinaryPrimitives.ReadInt64LittleEndian(header[32..]),
            Names = ReadNames(new ReadOnlySpan<byte>(file.Address + HeaderLength, namesLength), BinaryPrimitives.ReadInt64LittleEndian(header[NamesUsed..])),
        };
        var block = file.Address + HeaderLength + namesLength;
        for (var i = 0; i < segments; i++, block += SegmentMemory.LengthOf(slots, bytes))
        {
            if (SegmentMemory.ReadGeometry(new ReadOnlySpan<byte>(block, SegmentMemory.HeaderLength)) == (slots, bytes))
                left.Add(new SegmentMemory(block, file, slots, bytes, isNew: false));
        }

        left.Sort();
        return true;
    }

    /// <summary>Returns true if a file is of another version of this format, which only another version of AsyncLog reads.</summary>
    public static bool IsOtherVersion(ICrashFile file)
    {
        if (file.Length < HeaderLength)
            return false;
        var difference = *(long*)file.Address ^ Magic;
        return difference != 0 && (difference & ~VersionByte) == 0;
    }

    /// <summary>Reads the names of the categories, by number, from the beginning of a region; none when it is not the beginning of one.</summary>
    public static IReadOnlyList<string> ReadNames(ReadOnlySpan<byte> head)
    {
        if (head.Length < HeaderLength || BinaryPrimitives.ReadInt64LittleEndian(head) != Magic)
            return [];
        var length = Math.Clamp(BinaryPrimitives.ReadInt32LittleEndian(head[52..]), 0, head.Length - HeaderLength);
        return ReadNames(head.Slice(HeaderLength, length), BinaryPrimitives.ReadInt64LittleEndian(head[NamesUsed..]));
    }

    // Under the lock of the table, in the order of the numbers.
    private void AddName(string name)
    {
        var used = BinaryPrimitives.ReadInt64LittleEndian(new ReadOnlySpan<byte>(_file.Address + NamesUsed, sizeof(long)));
        var length = Encoding.UTF8.GetByteCount(name);
        _areNamesFull |= used + sizeof(int) + length > NamesLength;
        if (_areNamesFull)
            return;
        var target = new Span<byte>(_file.Address + HeaderLength + used, sizeof(int) + length);
        BinaryPrimitives.WriteInt32LittleEndian(target, length);
        Encoding.UTF8.GetBytes(name, target[sizeof(int)..]);
        // Last: a process that is killed before leaves no half name.
        Volatile.Write(ref *(long*)(_file.Address + NamesUsed), used + sizeof(int) + length);
    }

    private static List<string> ReadNames(ReadOnlySpan<byte> names, long used)
    {
        var found = new List<string>();
        for (var rest = names[..(int)Math.Clamp(used, 0, names.Length)]; rest.Length >= sizeof(int);)
        {
            var length = BinaryPrimitives.ReadInt32LittleEndian(rest);
            if (length < 0 || length > rest.Length - sizeof(int))
                break;
            found.Add(Encoding.UTF8.GetString(rest.Slice(sizeof(int), length)));
            rest = rest[(sizeof(int) + length)..];
        }

        return found;
    }
}

/// <summary>What a process left in a <see cref="CrashRegion"/>: its segments with records that have no outcome, oldest first.</summary>
/// <param name="file">The locked file; null: its segments were read from elsewhere.</param>
internal sealed class CrashRegionContents(ICrashFile? file)
{
    private const string UnknownCategory = "(unknown)";
    private readonly List<SegmentMemory> _blocks = [];

    /// <summary>The locked file.</summary>
    public ICrashFile File => file!;

    public required ulong WireId { get; init; }

    public required long ProcessId { get; init; }

    public required long CreatedTicks { get; init; }

    /// <summary>Names of the categories, by number.</summary>
    public required IReadOnlyList<string> Names { get; init; }

    /// <summary>The name of a category.</summary>
    public string NameOf(int number) => number < Names.Count ? Names[number] : UnknownCategory;

    /// <summary>Segments with records.</summary>
    public IReadOnlyList<SegmentMemory> Blocks => _blocks;

    /// <summary>Records by level.</summary>
    public long[] Levels { get; } = new long[DropCounts.Levels];

    public long Records => Levels.Sum();

    /// <summary>True if there is nothing to deliver or to count.</summary>
    public bool IsEmpty => Records == 0 && Uncommitted == 0 && Refused.Total == 0;

    /// <summary>Claims without a commit, whose <c>Log</c> did not return, and slots that are damaged.</summary>
    public long Uncommitted { get; private set; }

    /// <summary>Records that the process refused and did not live to count.</summary>
    public DropCounts Refused { get; } = new();

    /// <summary>Time of the last record, UTC ticks; 0: there is none.</summary>
    public long LastTicks { get; private set; }

    /// <summary>Adds a block if it has records without an outcome. What is lost is marked there, so that a later process does not count it again; damaged
    /// slots count as claims without a commit.</summary>
    public unsafe void Add(SegmentMemory block)
    {
        var word = *block.StatePointer;
        var sequence = block.Sequence;
        // Settled, never opened, or about to be opened: then the state word is still of the life before.
        if (sequence == block.SettledSequence || StateWord.Fresh(sequence) != StateWord.LifeOf(word))
            return;
        var count = Math.Min(StateWord.Count(word), block.SlotCapacity);
        var first = FirstOf(block).Slot;
        var (records, end) = (0, 0);
        for (var i = 0; i < count; i++)
        {
            ref var slot = ref block.Slots[i];
            if (Slot.IsCounted(slot.Word))
                continue;
            if (slot.Word == 0 || !IsWhole(slot, end, block))
            {
                slot = new Slot { Word = Slot.Counted(0) };
                Uncommitted++;
                continue;
            }

            end = Slot.Offset(slot.Word) + Slot.Length(slot.Word);
            if (Slot.RefusedBecause(slot.Word) is { } reason)
            {
                Refused.Add(reason, Slot.Level(slot.Word), slot.Ticks);
                slot.Word = Slot.Counted(slot.Word);
            }

            if (!Slot.IsCommitted(slot.Word) || i < first)
                continue;
            records++;
            Levels[(int)Slot.Level(slot.Word)]++;
            LastTicks = Math.Max(LastTicks, slot.Ticks);
        }

        // What lies behind was never claimed; a place there is not looked at again.
        block.Slots[count..].Clear();
        if (records > 0)
            _blocks.Add(block);
        else
            block.SettledSequence = sequence;
    }

    public void Sort() => _blocks.Sort(static (left, right) => left.Sequence.CompareTo(right.Sequence));

    /// <summary>Copies the records of a block without an outcome, contiguous, into memory of this process.</summary>
    /// <param name="block">One of <see cref="Blocks"/>.</param>
    /// <param name="numberOf">Returns the number in this process of a category of the other one.</param>
    public Segment Copy(SegmentMemory block, Func<int, int> numberOf)
    {
        var first = FirstOf(block);
        var slots = new List<Slot>();
        var bytes = new byte[block.ByteCapacity];
        var end = 0;
        foreach (ref readonly var slot in block.Slots[first.Slot..])
        {
            if (!Slot.IsCommitted(slot.Word))
                continue;
            var length = Slot.Length(slot.Word);
            block.Bytes.Span.Slice(Slot.Offset(slot.Word), length).CopyTo(bytes.AsSpan(end));
            slots.Add(new Slot { Ticks = slot.Ticks, Word = Slot.Pack(end, length, Slot.Level(slot.Word), numberOf(Slot.Category(slot.Word))) });
            end += length;
        }

        return new Segment(bytes.AsSpan(0, end), CollectionsMarshal.AsSpan(slots)) { Sequence = block.Sequence, Origin = block, Interrupted = first.Interrupted };
    }

    // The first record that may not be written, and how many bytes of it are, by the last mark.
    private static (int Slot, (int Done, WriteMark Write)? Interrupted) FirstOf(SegmentMemory block)
    {
        if (block.LastMark is not var (write, slot, done) || slot < 0 || slot >= block.SlotCapacity || done < 0)
            return (0, null);
        var word = block.Slots[slot].Word;
        return !Slot.IsCommitted(word) || done >= Slot.Length(word) ? (slot, null) : (slot, (done, write));
    }

    // Records lie one after the other.
    private static bool IsWhole(Slot slot, int end, SegmentMemory block)
        => Slot.Offset(slot.Word) >= end && Slot.Offset(slot.Word) + Slot.Length(slot.Word) <= block.ByteCapacity && Slot.Level(slot.Word) <= LogLevel.Critical
            && slot.Ticks >= DateTime.MinValue.Ticks && slot.Ticks <= DateTime.MaxValue.Ticks;
}
