using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>Frames that are written at once: as many of a batch's first records as fit a limit, at least one. Copies only records that change.</summary>
/// <param name="isNumbered">True if records wait for their number.</param>
/// <param name="endsLines">True if a line feed is appended to each record.</param>
internal sealed class FrameBlock(FrameKind frame, bool isNumbered, bool endsLines)
{
    private readonly List<int> _frameLengths = [];
    private readonly List<int> _recordLengths = [];
    private byte[] _built = [];

    /// <summary>Number of frames; 0: the first record of the batch cannot be framed.</summary>
    public int Count => _frameLengths.Count;

    /// <summary>The frames, one behind the other.</summary>
    public ReadOnlyMemory<byte> Bytes { get; private set; }

    public ReadOnlySpan<int> FrameLengths => CollectionsMarshal.AsSpan(_frameLengths);

    /// <summary>Counts the whole frames among the first bytes.</summary>
    /// <param name="bytes">The most bytes.</param>
    public int CountWithin(int bytes, out int frameBytes, out int recordBytes)
    {
        int count = 0;
        (frameBytes, recordBytes) = (0, 0);
        while (count < Count && frameBytes + _frameLengths[count] <= bytes)
        {
            frameBytes += _frameLengths[count];
            recordBytes += _recordLengths[count++];
        }

        return count;
    }

    /// <summary>Takes the first records of a batch.</summary>
    /// <param name="batch">Records, framed unless they wait for a number or a line feed.</param>
    /// <param name="limit">The most bytes, unless the first frame alone is larger.</param>
    /// <param name="sequence">The number of the first one; the counter does not advance.</param>
    public void Fill(LogBatch batch, int limit, int sequence)
    {
        _frameLengths.Clear();
        _recordLengths.Clear();
        int length = 0;
        for (int i = 0; i < batch.Count && (i == 0 || length < limit); i++)
        {
            ReadOnlySpan<byte> record = batch[i].Bytes.Span;
            int added = isNumbered ? AddNumbered(record, length, sequence) : endsLines ? AddLine(record, length) : record.Length;
            if ((i > 0 && length + added > limit) || (isNumbered && added == 0))
                break;
            _frameLengths.Add(added);
            _recordLengths.Add(record.Length);
            length += added;
            sequence = SequenceCounter.After(sequence);
        }

        Bytes = isNumbered || endsLines ? _built.AsMemory(0, length) : batch.Bytes[..length];
    }

    private int AddNumbered(ReadOnlySpan<byte> record, int at, int sequence)
    {
        Reserve(at + RecordFraming.RoomFor(record.Length));
        return RecordFraming.WriteNumbered(record, sequence, endsLines ? FrameKind.LineFeed : frame, _built.AsSpan(at));
    }

    private int AddLine(ReadOnlySpan<byte> record, int at)
    {
        Reserve(at + record.Length + 1);
        record.CopyTo(_built.AsSpan(at));
        _built[at + record.Length] = (byte)'\n';
        return record.Length + 1;
    }

    private void Reserve(int length)
    {
        if (_built.Length < length)
            Array.Resize(ref _built, Math.Max(length, _built.Length * 2));
    }
}
