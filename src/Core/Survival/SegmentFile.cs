using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The format of a file that holds the records of one segment. Little-endian. Pure.</summary>
/// <remarks>
/// <para>Header of 64 bytes: magic (8), CRC-32C of the rest of the header and of the categories (4), records (4), wire id (8), time of the first and of the
/// last record in UTC ticks (8, 8), length of the categories (4), length of the bytes (4), 16 zeros. Categories: length (4) and UTF-8 of each name. Per
/// record 20 bytes: ticks (8), the word of its <see cref="Slot"/> with the category's number in this file (8), CRC-32C of both and of the record's bytes
/// (4). Then the bytes of the records.</para>
/// <para>Each record has its own checksum, so damage costs the records that it hit, and none is sent that was not written.</para>
/// </remarks>
internal static class SegmentFile
{
    private const int HeaderLength = 64;
    private const int SlotLength = 20;
    private const int CoveredFrom = 12;

    private static ReadOnlySpan<byte> Magic => "ALSEG\0\0\x01"u8;

    /// <summary>Encodes the records of a segment; those that were never committed are left out.</summary>
    /// <param name="bytes">The bytes that the slots' offsets refer to.</param>
    public static SegmentImage Encode(ReadOnlySpan<Slot> slots, ReadOnlyMemory<byte> bytes, ulong wireId, CategoryTable categories)
    {
        var levels = new long[DropCounts.Levels];
        var numbers = new Dictionary<int, int>();
        var names = new List<byte[]>();
        var (count, from, to) = (0, int.MaxValue, 0);
        foreach (ref readonly var slot in slots)
        {
            if (slot.Word == 0)
                continue;
            count++;
            levels[(int)Slot.Level(slot.Word)]++;
            from = Math.Min(from, Slot.Offset(slot.Word));
            to = Math.Max(to, Slot.Offset(slot.Word) + Slot.Length(slot.Word));
            if (numbers.TryAdd(Slot.Category(slot.Word), names.Count))
                names.Add(Encoding.UTF8.GetBytes(categories.NameOf(Slot.Category(slot.Word))));
        }

        Debug.Assert(count > 0, "A file has at least one record.");
        var namesLength = names.Sum(static name => sizeof(int) + name.Length);
        var head = new byte[HeaderLength + namesLength + (count * SlotLength)];
        var position = HeaderLength;
        foreach (var name in names)
        {
            BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(position), name.Length);
            name.CopyTo(head, position + sizeof(int));
            position += sizeof(int) + name.Length;
        }

        var (first, last) = (0L, 0L);
        foreach (ref readonly var slot in slots)
        {
            if (slot.Word == 0)
                continue;
            first = first == 0 ? slot.Ticks : first;
            last = slot.Ticks;
            var (offset, length) = (Slot.Offset(slot.Word), Slot.Length(slot.Word));
            var word = Slot.Pack(offset - from, length, Slot.Level(slot.Word), numbers[Slot.Category(slot.Word)]);
            WriteSlot(head.AsSpan(position, SlotLength), slot.Ticks, word, bytes.Span.Slice(offset, length));
            position += SlotLength;
        }

        Magic.CopyTo(head);
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(12), count);
        BinaryPrimitives.WriteUInt64LittleEndian(head.AsSpan(16), wireId);
        BinaryPrimitives.WriteInt64LittleEndian(head.AsSpan(24), first);
        BinaryPrimitives.WriteInt64LittleEndian(head.AsSpan(32), last);
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(40), namesLength);
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(44), to - from);
        BinaryPrimitives.WriteUInt32LittleEndian(head.AsSpan(8), Crc(head.AsSpan(CoveredFrom, HeaderLength - CoveredFrom + namesLength)));
        return new SegmentImage(head, bytes[from..to], levels, first, last);
    }

    /// <summary>Reads the header.</summary>
    /// <returns>Null when it is damaged, or not one of this format.</returns>
    public static SegmentHeader? ReadHeader(ReadOnlySpan<byte> file)
    {
        if (file.Length < HeaderLength || !file.StartsWith(Magic))
            return null;
        var names = BinaryPrimitives.ReadInt32LittleEndian(file[40..]);
        if (names < 0 || names > file.Length - HeaderLength
            || BinaryPrimitives.ReadUInt32LittleEndian(file[8..]) != Crc(file[CoveredFrom..(HeaderLength + names)]))
        {
            return null;
        }

        return new SegmentHeader(
            BinaryPrimitives.ReadInt32LittleEndian(file[12..]), BinaryPrimitives.ReadUInt64LittleEndian(file[16..]), BinaryPrimitives.ReadInt64LittleEndian(file[24..]),
            BinaryPrimitives.ReadInt64LittleEndian(file[32..]), names, BinaryPrimitives.ReadInt32LittleEndian(file[44..]));
    }

    /// <summary>Returns true if a file is of another version of this format, which only another version of AsyncLog reads.</summary>
    public static bool IsOtherVersion(ReadOnlySpan<byte> file) => file.StartsWith(Magic[..^1]) && !file.StartsWith(Magic) && file.Length > Magic.Length;

    /// <summary>Reads the records, without those that are damaged.</summary>
    /// <param name="numberOf">Returns the number of a category's name in this process.</param>
    /// <returns>The bytes of the records, contiguous, and a slot for each.</returns>
    public static (byte[] Bytes, Slot[] Slots) ReadRecords(ReadOnlySpan<byte> file, SegmentHeader header, Func<string, int> numberOf)
    {
        var numbers = new List<int>();
        for (var position = HeaderLength; position < HeaderLength + header.NamesLength;)
        {
            var length = BinaryPrimitives.ReadInt32LittleEndian(file[position..]);
            numbers.Add(numberOf(Encoding.UTF8.GetString(file.Slice(position + sizeof(int), length))));
            position += sizeof(int) + length;
        }

        var rest = file[(HeaderLength + header.NamesLength)..];
        var records = rest[Math.Min(rest.Length, header.Records * SlotLength)..];
        var slots = new List<Slot>(header.Records);
        var bytes = new byte[Math.Min(header.BytesLength, records.Length)];
        var end = 0;
        for (var table = rest[..(rest.Length - records.Length)]; table.Length >= SlotLength; table = table[SlotLength..])
        {
            var (ticks, word) = (BinaryPrimitives.ReadInt64LittleEndian(table), BinaryPrimitives.ReadInt64LittleEndian(table[8..]));
            var (offset, length) = (Slot.Offset(word), Slot.Length(word));
            if (offset + length > records.Length || end + length > bytes.Length || Slot.Category(word) >= numbers.Count || Slot.Level(word) > LogLevel.Critical
                || BinaryPrimitives.ReadUInt32LittleEndian(table[16..]) != Crc(table[..16], records.Slice(offset, length)))
            {
                continue;
            }

            records.Slice(offset, length).CopyTo(bytes.AsSpan(end));
            slots.Add(new Slot { Ticks = ticks, Word = Slot.Pack(end, length, Slot.Level(word), numbers[Slot.Category(word)]) });
            end += length;
        }

        // Without the space of damaged records: its bytes would be sent.
        return (end == bytes.Length ? bytes : bytes[..end], [.. slots]);
    }

    /// <summary>CRC-32C of two parts.</summary>
    public static uint Crc(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second = default) => ~Crc(Crc(uint.MaxValue, first), second);

    private static void WriteSlot(Span<byte> target, long ticks, long word, ReadOnlySpan<byte> record)
    {
        BinaryPrimitives.WriteInt64LittleEndian(target, ticks);
        BinaryPrimitives.WriteInt64LittleEndian(target[8..], word);
        BinaryPrimitives.WriteUInt32LittleEndian(target[16..], Crc(target[..16], record));
    }

    // CRC-32C (Castagnoli), by the processor where it can.
    private static uint Crc(uint crc, ReadOnlySpan<byte> bytes)
    {
        for (; bytes.Length >= sizeof(ulong); bytes = bytes[sizeof(ulong)..])
            crc = BitOperations.Crc32C(crc, MemoryMarshal.Read<ulong>(bytes));
        foreach (var one in bytes)
            crc = BitOperations.Crc32C(crc, one);
        return crc;
    }
}

/// <summary>The content of a segment file before it is written.</summary>
/// <param name="Bytes">The bytes of the records.</param>
/// <param name="FirstTicks">Time of the first record, UTC.</param>
/// <param name="LastTicks">Time of the last record, UTC.</param>
internal sealed record SegmentImage(byte[] Head, ReadOnlyMemory<byte> Bytes, long[] Levels, long FirstTicks, long LastTicks)
{
    public long Length => Head.Length + Bytes.Length;
}

/// <summary>The header of a segment file.</summary>
/// <param name="FirstTicks">Time of the first record, UTC.</param>
/// <param name="LastTicks">Time of the last record, UTC.</param>
/// <param name="NamesLength">Bytes of the categories.</param>
/// <param name="BytesLength">Bytes of the records.</param>
internal sealed record SegmentHeader(int Records, ulong WireId, long FirstTicks, long LastTicks, int NamesLength, int BytesLength);

/// <summary>The name of a segment file: its place, its records by level and its length, so that the counters need the names only.</summary>
/// <param name="Sequence">The place: files are sent in its order.</param>
/// <param name="Length">Bytes of the file.</param>
internal sealed record SegmentFileName(long Sequence, long[] Levels, long Length)
{
    /// <summary>The extension of a whole file.</summary>
    public const string Extension = ".seg";

    /// <summary>What follows the name of a file that is being written.</summary>
    public const string Unfinished = ".tmp";

    private const int SequenceDigits = 16;

    /// <summary>Records in it.</summary>
    public long Records => Levels.Sum();

    /// <summary>Reads a name.</summary>
    /// <returns>Null when it is not one.</returns>
    public static SegmentFileName? Parse(string name)
    {
        if (!name.EndsWith(Extension, StringComparison.Ordinal))
            return null;
        var parts = name[..^Extension.Length].Split('-');
        var numbers = new long[parts.Length];
        for (var i = 0; i < parts.Length; i++)
        {
            if (!long.TryParse(parts[i], NumberStyles.None, CultureInfo.InvariantCulture, out numbers[i]))
                return null;
        }

        return numbers.Length == DropCounts.Levels + 2 && parts[0].Length == SequenceDigits ? new(numbers[0], numbers[1..^1], numbers[^1]) : null;
    }

    public override string ToString()
        => string.Create(CultureInfo.InvariantCulture, $"{Sequence:D16}-{string.Join('-', Levels)}-{Length}{Extension}");
}
