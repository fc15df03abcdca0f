namespace AsyncLog;

/// <summary>Frames that are written at once: as many of a batch's first records as fit a limit, at least one. Copies only what has to be changed.</summary>
internal sealed class FrameBlock(FrameKind frame, bool isNumbered, bool endsLines)
{
    private byte[] _built = [];
    private int[] _wire = new int[256];
    private int[] _records = new int[256];

    /// <summary>How many frames there are.</summary>
    public int Count { get; private set; }

    /// <summary>The frames, one behind the other.</summary>
    public ReadOnlyMemory<byte> Bytes { get; private set; }

    /// <summary>The length of a frame on the stream.</summary>
    public int FrameBytes(int index) => _wire[index];

    /// <summary>The length of its record in the batch.</summary>
    public int RecordBytes(int index) => _records[index];

    /// <summary>Takes the first records of a batch.</summary>
    /// <param name="batch">Records, framed unless they wait for a number or a line feed.</param>
    /// <param name="limit">The most bytes, unless the first frame alone is larger.</param>
    /// <param name="sequence">The number of the first one; it does not move on.</param>
    public void Fill(LogBatch batch, int limit, int sequence)
    {
        Count = 0;
        int length = 0;
        for (int i = 0; i < batch.Count && (i == 0 || length < limit); i++)
        {
            ReadOnlySpan<byte> record = batch[i].Bytes.Span;
            int added = isNumbered ? AddNumbered(record, length, sequence) : endsLines ? AddLine(record, length) : record.Length;
            if (i > 0 && length + added > limit)
                break;
            Note(record.Length, added);
            length += added;
            sequence = SequenceIdInsertion.Next(sequence);
        }

        Bytes = isNumbered || endsLines ? _built.AsMemory(0, length) : batch.Bytes[..length];
    }

    private int AddNumbered(ReadOnlySpan<byte> record, int at, int sequence)
    {
        Reserve(at + SequenceIdInsertion.RoomFor(record.Length));
        return SequenceIdInsertion.Write(record, sequence, endsLines ? FrameKind.LineFeed : frame, _built.AsSpan(at));
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

    private void Note(int record, int wire)
    {
        if (Count == _wire.Length)
        {
            Array.Resize(ref _wire, Count * 2);
            Array.Resize(ref _records, Count * 2);
        }

        _records[Count] = record;
        _wire[Count++] = wire;
    }
}
