using System.Buffers;
using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>The memory of one segment: one block of header, slots and bytes, at an address that never changes.</summary>
/// <remarks>
/// <para>Of this process, or part of a mapping that outlives it: both have the same layout and are written by the same code. The block is
/// freed with this object: a pointer into it is valid as long as the object is referenced.</para>
/// <para>A file format, as <see cref="Slot"/> is: a crash buffer is made of such blocks, and a later version of AsyncLog reads it after a kill.</para>
/// <para>Header of 256 bytes: magic (32), sequence (8), slots (4), bytes (4), sequence of the last life that was settled (8), number of marks (8), two marks of
/// 32 bytes each; at 128, alone on its cache-line pair, the state word: the only one that callers write in competition.</para>
/// </remarks>
internal sealed unsafe class SegmentMemory
{
    /// <summary>Bytes of the header.</summary>
    public const int HeaderLength = 256;

    private const int Alignment = 128;
    private const int PageSize = 4096;
    private readonly Header* _header;
    private readonly Slot* _slots;

    // Keeps the block.
    private readonly object _owner;

    /// <summary>Makes the memory of a segment of this process. The bytes are not cleared.</summary>
    /// <exception cref="OutOfMemoryException">There is not so much memory.</exception>
    public SegmentMemory(int slots, int bytes)
        : this(Allocate(LengthOf(slots, bytes), out var block), block, slots, bytes)
    {
        var array = (byte[])_owner;
        Bytes = array.AsMemory((int)(BytePointer - (byte*)Marshal.UnsafeAddrOfPinnedArrayElement(array, 0)), bytes);
        Format();
    }

    /// <summary>Takes a block of a mapping, which survives the process.</summary>
    /// <param name="block">The block, of <see cref="LengthOf"/> bytes, zeros or one that was a segment's before.</param>
    /// <param name="bytes">Number of bytes.</param>
    /// <param name="isNew">True if it becomes a segment now.</param>
    public SegmentMemory(byte* block, object owner, int slots, int bytes, bool isNew)
        : this(owner, block, slots, bytes)
    {
        Survives = true;
        Bytes = new MappedBytes(BytePointer, bytes, owner).Memory;
        if (isNew)
            Format();
    }

    private SegmentMemory(object owner, byte* block, int slots, int bytes)
    {
        _owner = owner;
        _header = (Header*)block;
        _slots = (Slot*)(block + HeaderLength);
        BytePointer = (byte*)(_slots + slots);
        SlotCapacity = slots;
        ByteCapacity = bytes;
    }

    /// <summary>Marks the beginning of each block, so that records are found in a dump of the process.</summary>
    public static ReadOnlySpan<byte> Magic => "AsyncLog segment, layout 1\r\n\u001a\0\n\n"u8;

    /// <summary>An object without memory.</summary>
    public static SegmentMemory Empty { get; } = new(0, 0);

    /// <summary>True if the block outlives the process.</summary>
    public bool Survives { get; }

    /// <summary>Number of slots.</summary>
    public int SlotCapacity { get; }

    /// <summary>Number of bytes.</summary>
    public int ByteCapacity { get; }

    /// <summary>The state word.</summary>
    public long* StatePointer => &_header->State;

    /// <summary>The first slot.</summary>
    public Slot* SlotPointer => _slots;

    /// <summary>The first byte.</summary>
    public byte* BytePointer { get; }

    /// <summary>The slots.</summary>
    public Span<Slot> Slots => new(_slots, SlotCapacity);

    /// <summary>The bytes of the records.</summary>
    public Memory<byte> Bytes { get; }

    /// <summary>The life that begins, the place of its records in the stream. Written before the state word of the life: until then the two do not agree.</summary>
    public long Sequence
    {
        get => Volatile.Read(ref _header->Sequence);
        set
        {
            Volatile.Write(ref _header->Marks, 0);
            Volatile.Write(ref _header->Sequence, value);
        }
    }

    /// <summary>The last life whose records have an outcome: they are not recovered.</summary>
    public long SettledSequence
    {
        get => Volatile.Read(ref _header->Settled);
        set => Volatile.Write(ref _header->Settled, value);
    }

    /// <summary>The mark made last in this life; null: none.</summary>
    public (WriteMark Write, int Slot, int Done)? LastMark
    {
        get
        {
            var number = Volatile.Read(ref _header->Marks);
            if (number <= 0)
                return null;
            ref var mark = ref MarkOf(number);
            return (new WriteMark(mark.Device, mark.Inode, mark.Length), mark.Slot, mark.Done);
        }
    }

    /// <summary>Bytes of a block.</summary>
    public static long LengthOf(int slots, int bytes) => (HeaderLength + ((long)slots * sizeof(Slot)) + bytes + Alignment - 1) / Alignment * Alignment;

    /// <summary>Reads slots and bytes of a block that may be damaged.</summary>
    /// <param name="header">What begins with a block.</param>
    /// <returns>Null when it does not, or is too short.</returns>
    public static (int Slots, int Bytes)? ReadGeometry(ReadOnlySpan<byte> header)
    {
        if (header.Length < HeaderLength || !header.StartsWith(Magic))
            return null;
        var found = MemoryMarshal.Read<Header>(header);
        return found.Slots is > 0 and <= Slot.MaxBytes && found.Bytes is > 0 and <= Slot.MaxBytes ? (found.Slots, found.Bytes) : null;
    }

    /// <summary>Stores where the records from a slot on are written next. It does not overwrite the mark before, which stays valid if the process is killed here.</summary>
    /// <param name="write">Where the bytes go.</param>
    /// <param name="done">Bytes of it that are written already.</param>
    public void Mark(WriteMark write, int slot, int done)
    {
        var number = _header->Marks + 1;
        MarkOf(number) = new StoredMark { Device = write.Device, Inode = write.Inode, Length = write.Length, Slot = slot, Done = done };
        Volatile.Write(ref _header->Marks, number);
    }

    /// <summary>The first of the last <paramref name="count"/> slots that hold a record.</summary>
    public int SlotOfLast(int count)
    {
        var slot = SlotCapacity;
        for (var left = count; left > 0; left -= Slot.IsCommitted(_slots[slot].Word) ? 1 : 0)
            slot--;
        return slot;
    }

    /// <summary>Copies the records into memory of this process.</summary>
    public SegmentMemory Copy()
    {
        var copy = new SegmentMemory(SlotCapacity, ByteCapacity);
        Slots.CopyTo(copy.Slots);
        Bytes.Span.CopyTo(copy.Bytes.Span);
        return copy;
    }

    private void Format()
    {
        new Span<byte>(_header, HeaderLength + (SlotCapacity * sizeof(Slot))).Clear();
        _header->Slots = SlotCapacity;
        _header->Bytes = ByteCapacity;
        // Touches the pages now. Otherwise the first caller on each page would wait for it.
        for (var i = 0; i < ByteCapacity; i += PageSize)
            BytePointer[i] = 0;
        Magic.CopyTo(new Span<byte>(_header, HeaderLength));
    }

    private static byte[] Allocate(long length, out byte* block)
    {
        var whole = length + Alignment;
        if (whole > Array.MaxLength)
            throw new OutOfMemoryException();
        var array = GC.AllocateUninitializedArray<byte>((int)whole, pinned: true);
        block = (byte*)(((nint)Marshal.UnsafeAddrOfPinnedArrayElement(array, 0) + Alignment - 1) / Alignment * Alignment);
        return array;
    }

    private ref StoredMark MarkOf(long number) => ref number % 2 == 0 ? ref _header->Second : ref _header->First;

    [StructLayout(LayoutKind.Explicit, Size = HeaderLength)]
    private struct Header
    {
        [FieldOffset(32)]
        public long Sequence;

        [FieldOffset(40)]
        public int Slots;

        [FieldOffset(44)]
        public int Bytes;

        [FieldOffset(48)]
        public long Settled;

        [FieldOffset(56)]
        public long Marks;

        [FieldOffset(64)]
        public StoredMark First;

        [FieldOffset(96)]
        public StoredMark Second;

        [FieldOffset(128)]
        public long State;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct StoredMark
    {
        public ulong Device;
        public ulong Inode;
        public long Length;
        public int Slot;
        public int Done;
    }

    // A reader of the bytes keeps the mapping alive.
    private sealed class MappedBytes(byte* first, int length, object owner) : MemoryManager<byte>
    {
        public override Span<byte> GetSpan()
        {
            GC.KeepAlive(owner);
            return new Span<byte>(first, length);
        }

        public override MemoryHandle Pin(int elementIndex = 0) => new(first + elementIndex, pinnable: this);

        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing)
        {
        }
    }
}

/// <summary>A place in a file at which records are written.</summary>
/// <param name="Device">With <paramref name="Inode"/>, which file it is.</param>
/// <param name="Inode">See <paramref name="Device"/>.</param>
/// <param name="Length">Bytes of the file before the write.</param>
internal readonly record struct WriteMark(ulong Device, ulong Inode, long Length);
