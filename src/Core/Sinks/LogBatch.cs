using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Sinks;

/// <summary>The records passed to a sink: contiguous, in the order they were accepted; the sink reports here what it wrote or refused.</summary>
/// <remarks>Valid only until the task of <see cref="ILogSink.WriteAsync"/> ends. Progress made by <see cref="Advance"/> and the
/// <c>Refuse</c> methods survives a throw: the next call gets only the rest, so nothing is written twice.</remarks>
public sealed class LogBatch
{
    private SegmentMemory _memory = SegmentMemory.Empty;

    // Where the records survive the end of the process: the memory itself, or the one that it is a copy of. Null: they do not.
    private SegmentMemory? _survivor;
    private CategoryTable _categories = new();
    private int _next;
    private int _end;
    private int _position;
    private int _limit;

    // Protects the outcome of the records: at the shutdown deadline another thread reads it. The instance's lock while a worker has the batch.
    private object _gate = new();

    internal LogBatch()
    {
    }

    /// <summary>Remaining bytes, contiguous. The first byte may lie inside a record after <see cref="Advance"/>.</summary>
    public ReadOnlyMemory<byte> Bytes => _memory.Bytes[_position.._limit];

    /// <summary>The number of records left; a record whose bytes were advanced over in part is still left.</summary>
    public int Count => _end - _next;

    /// <summary>Bytes of the first record left that were advanced over; <see cref="Bytes"/> begins behind them. 0: it is whole, or none is left.</summary>
    internal int FirstRecordBytesWritten => _next == _end ? 0 : _position - Slot.Offset(_memory.Slots[_next].Word);

    /// <summary>True if its record is a notice of AsyncLog, for example of a gap or of the start: it counts neither as written nor as dropped, so a sink does not count it
    /// as uncertain either.</summary>
    public bool IsNotice { get; internal set; }

    /// <summary>Counts of the records refused so far.</summary>
    internal DropCounts Refused { get; } = new();

    /// <summary>Keeps the records that the destination rejects; null: they are not kept. Set after <c>Load</c>.</summary>
    internal RejectedRecords? Rejected { get; set; }

    /// <summary>Bytes advanced over so far, refused records not included.</summary>
    internal long AdvancedBytes { get; private set; }

    /// <summary>Records that a peer refused without naming them; still counted as left.</summary>
    internal int RefusedUnnamed { get; private set; }

    /// <summary>True if the rest begins at the start of a record.</summary>
    internal bool IsAtRecordStart => FirstRecordBytesWritten == 0;

    /// <summary>A record that is left.</summary>
    /// <param name="index">0 is the oldest that is left; its <see cref="BatchRecord.Bytes"/> are whole, also when part of them was advanced over.</param>
    /// <exception cref="ArgumentOutOfRangeException">Not less than <see cref="Count"/>, or negative.</exception>
    public BatchRecord this[int index]
    {
        get
        {
            var slot = SlotAt(index);
            return new BatchRecord(
                _memory.Bytes.Slice(Slot.Offset(slot.Word), Slot.Length(slot.Word)),
                Slot.Level(slot.Word),
                new DateTimeOffset(slot.Ticks, TimeSpan.Zero),
                _categories.NameOf(Slot.Category(slot.Word)));
        }
    }

    /// <summary>The first record left that was logged at or after an instant, without reading the others; -1: none was.</summary>
    internal int IndexOfFirstSince(DateTimeOffset instant)
    {
        var ticks = instant.UtcTicks;
        var slots = _memory.Slots;
        for (var i = _next; i < _end; i++)
        {
            if (slots[i].Ticks >= ticks)
                return i - _next;
        }

        return -1;
    }

    /// <summary>True if the records survive the end of the process (<c>CrashBuffer</c>): the next one finds those without an outcome.</summary>
    internal bool Survives => _survivor is not null;

    /// <summary>Where a process that was killed was writing what is left, its last write from the first byte of <see cref="Bytes"/> on; null: nowhere, or
    /// it is not known. The sink that finds a part of them there advances over it. Null after the first <see cref="Advance"/> or <see cref="MarkWrite"/>.</summary>
    internal WriteMark? InterruptedWrite { get; private set; }

    /// <summary>Remembers where what is left is written next, for the process that finds it after a kill. Nothing happens unless <see cref="Survives"/>.</summary>
    /// <param name="write">Where the first byte of <see cref="Bytes"/> goes.</param>
    internal void MarkWrite(WriteMark write)
    {
        InterruptedWrite = null;
        if (_survivor is { } survivor && Count > 0)
            survivor.Mark(write, SlotIn(survivor, 0), FirstRecordBytesWritten);
    }

    /// <summary>Makes a batch for a sink's own tests.</summary>
    /// <param name="records">The records, in order; each of 1 byte to 1 MB with a level from Trace to Critical, all together at most 4 MB.</param>
    /// <exception cref="ArgumentException">A record is empty, longer than 1 MB or of another level, or all together are longer than 4 MB.</exception>
    public static LogBatch Create(params ReadOnlySpan<BatchRecord> records)
    {
        var size = 0L;
        foreach (var record in records)
        {
            if (record.Bytes.Length is 0 or > Slot.MaxLength)
                throw new ArgumentException("A record has 1 byte to 1 MB.", nameof(records));
            if (record.Level is < LogLevel.Trace or > LogLevel.Critical)
                throw new ArgumentException($"A record has a level from Trace to Critical, not {record.Level}.", nameof(records));
            size += record.Bytes.Length;
        }

        if (size > Slot.MaxBytes)
            throw new ArgumentException("A batch has at most 4 MB.", nameof(records));
        var memory = new SegmentMemory(records.Length, (int)size);
        var bytes = memory.Bytes.Span;
        var slots = memory.Slots;
        var categories = new CategoryTable();
        var offset = 0;
        for (var i = 0; i < records.Length; i++)
        {
            records[i].Bytes.Span.CopyTo(bytes[offset..]);
            slots[i].Ticks = records[i].Timestamp.UtcTicks;
            slots[i].Word = Slot.Pack(offset, records[i].Bytes.Length, records[i].Level, categories.Add(records[i].Category));
            offset += records[i].Bytes.Length;
        }

        var batch = new LogBatch();
        batch.Load(memory, records.Length, offset, categories);
        return batch;
    }

    /// <summary>Marks the first bytes of the rest as written.</summary>
    /// <param name="bytes">Number of bytes; 0 to the length of <see cref="Bytes"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">More than is left, or negative.</exception>
    public void Advance(int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, _limit - _position);
        lock (_gate)
        {
            InterruptedWrite = null;
            _position += bytes;
            AdvancedBytes += bytes;
            while (_next < _end && EndOf(_next) <= _position)
            {
                _next++;
                // Records refused without names count as the first ones left: they are behind now.
                if (RefusedUnnamed > 0)
                    RefusedUnnamed--;
            }
        }
    }

    /// <summary>Refuses one record for good and removes it from the rest.</summary>
    /// <param name="index">As in the indexer.</param>
    /// <param name="reason">A reason from <see cref="DropReason.Evicted"/> to <see cref="DropReason.ShutdownTimeout"/>.</param>
    /// <exception cref="ArgumentException"><paramref name="reason"/> is not one that a sink may give.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="index"/> is not that of a record that is left.</exception>
    public void Refuse(int index, DropReason reason)
    {
        DropReasons.RequireOfSink(reason);
        lock (_gate)
            RefuseOne(index, reason);
    }

    /// <summary>Refuses everything that is left, for good.</summary>
    /// <param name="reason">A reason from <see cref="DropReason.Evicted"/> to <see cref="DropReason.ShutdownTimeout"/>.</param>
    /// <exception cref="ArgumentException"><paramref name="reason"/> is not one that a sink may give.</exception>
    public void RefuseRest(DropReason reason)
    {
        lock (_gate)
        {
            RefuseCount(Count, reason);
            RefusedUnnamed = 0;
            _next = _end;
            _position = _limit;
        }
    }

    /// <summary>Counts records as refused that the peer did not name; levels are those of the first records left, an estimate.</summary>
    /// <param name="count">Number of records; more than is left counts as all.</param>
    /// <param name="reason">A reason from <see cref="DropReason.Evicted"/> to <see cref="DropReason.ShutdownTimeout"/>.</param>
    /// <exception cref="ArgumentException"><paramref name="reason"/> is not one that a sink may give.</exception>
    public void RefuseCount(int count, DropReason reason)
    {
        DropReasons.RequireOfSink(reason);
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        lock (_gate)
        {
            var first = Math.Min(_next + RefusedUnnamed, _end);
            var last = (int)Math.Min((long)first + count, _end);
            for (var i = first; i < last; i++)
                CountRefused(reason, _memory.Slots[i]);
            RefusedUnnamed += last - first;
        }
    }

    /// <summary>Takes the records of a segment that the worker owns.</summary>
    /// <param name="memory">The memory, with a committed slot for each record.</param>
    /// <param name="byteCount">Their bytes.</param>
    /// <param name="gate">The instance's lock; null: no other thread reads the outcome.</param>
    /// <param name="origin">The memory of which <paramref name="memory"/> is a copy, without records that are settled there; null: it is none.</param>
    internal void Load(SegmentMemory memory, int count, int byteCount, CategoryTable categories, object? gate = null, SegmentMemory? origin = null)
    {
        _gate = gate ?? _gate;
        _memory = memory;
        _survivor = origin ?? (memory.Survives ? memory : null);
        _categories = categories;
        _next = 0;
        _end = count;
        _position = 0;
        _limit = byteCount;
        AdvancedBytes = 0;
        RefusedUnnamed = 0;
        Rejected = null;
        InterruptedWrite = null;
        IsNotice = false;
        Refused.Clear();
    }

    /// <summary>Takes the records of another batch.</summary>
    internal void Load(LogBatch other)
    {
        Load(other._memory, other._end, other._limit, other._categories);
        IsNotice = other.IsNotice;
    }

    /// <summary>Continues after bytes of the first record that a killed process wrote, at the place where it was writing. Once, after <c>Load</c>.</summary>
    internal void Resume(int done, WriteMark write)
    {
        _position += done;
        InterruptedWrite = write;
    }

    /// <summary>Offers the first record left as a whole: what was written of it is in another destination. The place where a killed process was writing
    /// stays: the next sink compares it too.</summary>
    internal void RestartRecord()
    {
        lock (_gate)
        {
            var written = FirstRecordBytesWritten;
            if (written == 0 || InterruptedWrite is not null)
                return;
            // What a killed process had written of it was never added.
            AdvancedBytes -= Math.Min(AdvancedBytes, written);
            _position -= written;
        }
    }

    /// <summary>Returns true if these are its records; a batch is loaded again and again.</summary>
    internal bool Holds(SegmentMemory memory) => ReferenceEquals(_memory, memory) || ReferenceEquals(_survivor, memory);

    /// <summary>Copies the outcome so far, detached from the sink that still holds the batch. Under the lock.</summary>
    internal LogBatch Copy()
    {
        var copy = new LogBatch();
        copy.Load(_memory, _end, _limit, _categories);
        (copy._next, copy._position, copy.AdvancedBytes, copy.RefusedUnnamed) = (_next, _position, AdvancedBytes, RefusedUnnamed);
        copy.Refused.CopyFrom(Refused);
        return copy;
    }

    /// <summary>Copies the records whose outcome is open, and takes them out of the rest. Under the lock, on a copy of the sink's batch.</summary>
    internal (Slot[] Slots, byte[] Bytes) TakeOpen()
    {
        // Records refused without names count as the first ones left.
        var open = (_memory.Slots[(_next + RefusedUnnamed).._end].ToArray(), _memory.Bytes.Span[.._limit].ToArray());
        (_end, _limit) = (_next, _position);
        return open;
    }

    /// <summary>Releases the segment.</summary>
    internal void Release() => Load(SegmentMemory.Empty, 0, 0, _categories);

    private void RefuseOne(int index, DropReason reason)
    {
        ref var slot = ref SlotAt(index);
        // When all that is left was refused already without names, this is one of them.
        if (RefusedUnnamed < Count)
            CountRefused(reason, slot);
        else
            RefusedUnnamed--;
        var offset = Slot.Offset(slot.Word);
        var length = Slot.Length(slot.Word);
        if (_survivor is { } survivor)
            RefuseIn(survivor, index, reason);
        if (index == 0)
        {
            // Also when part of it was advanced over: the rest of a refused record is not written.
            _position = offset + length;
            _next++;
            return;
        }

        // The records before it move up over it: the rest stays contiguous and in order, in whole records.
        var bytes = _memory.Bytes.Span;
        var slots = _memory.Slots;
        var start = Slot.Offset(slots[_next].Word);
        bytes[start..offset].CopyTo(bytes[(start + length)..]);
        for (var i = _next + index; i > _next; i--)
        {
            var before = slots[i - 1];
            slots[i] = new Slot { Ticks = before.Ticks, Word = Slot.Moved(before.Word, length) };
        }

        _position += length;
        _next++;
    }

    // Records never move in memory that survives: a process killed in it would leave neither the old nor the new ones. The record is only marked there, so
    // that it is counted if the process is killed before it counts it.
    private void RefuseIn(SegmentMemory survivor, int index, DropReason reason)
    {
        ref var refused = ref survivor.Slots[SlotIn(survivor, index)];
        if (index > 0 && ReferenceEquals(_memory, survivor))
            _memory = survivor.Copy();
        Volatile.Write(ref refused.Word, Slot.Refused(refused.Word, reason));
    }

    // The records left are the last ones that the memory has, in the same order.
    private int SlotIn(SegmentMemory survivor, int index)
    {
        var slot = survivor.SlotOfLast(Count - index);
        Debug.Assert(!ReferenceEquals(_memory, survivor) || slot == _next + index, "A batch has all records of its memory.");
        return slot;
    }

    private void CountRefused(DropReason reason, Slot slot)
    {
        Refused.Add(reason, Slot.Level(slot.Word), slot.Ticks);
        Rejected?.Add(reason, slot, _memory.Bytes.Span);
    }

    private int EndOf(int slot)
    {
        var word = _memory.Slots[slot].Word;
        return Slot.Offset(word) + Slot.Length(word);
    }

    private ref Slot SlotAt(int index)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Count);
        return ref _memory.Slots[_next + index];
    }
}

/// <summary>The rendered bytes of one event inside a <see cref="LogBatch"/>, with its level, category and time for the sink.</summary>
public readonly struct BatchRecord
{
    /// <summary>Makes a record, for a sink's own tests.</summary>
    /// <param name="bytes">The final bytes.</param>
    /// <param name="level">The level it was logged with.</param>
    /// <param name="timestamp">Time of the record.</param>
    /// <param name="category">The logger's category.</param>
    public BatchRecord(ReadOnlyMemory<byte> bytes, LogLevel level, DateTimeOffset timestamp, string category)
        => (Bytes, Level, Timestamp, Category) = (bytes, level, timestamp, category);

    /// <summary>The final bytes; valid as long as the batch.</summary>
    public ReadOnlyMemory<byte> Bytes { get; init; }

    /// <summary>The level it was logged with.</summary>
    public LogLevel Level { get; init; }

    /// <summary>Time of the record, UTC.</summary>
    public DateTimeOffset Timestamp { get; init; }

    /// <summary>The logger's category.</summary>
    public string Category { get; init; }
}
