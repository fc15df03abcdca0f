namespace AsyncLog;

/// <summary>Copies of the records of a batch that the destination rejects, for <see cref="SinkOptions.SpoolRejected"/>.</summary>
internal sealed class RejectedRecords
{
    /// <summary>The records, with their offsets in <see cref="Bytes"/>.</summary>
    public List<Slot> Slots { get; } = [];

    public List<byte> Bytes { get; } = [];

    /// <summary>Adds a record that was refused, if the destination was the one to refuse it.</summary>
    public void Add(DropReason reason, Slot slot, ReadOnlySpan<byte> bytes)
    {
        if (reason is not (DropReason.Rejected or DropReason.SinkPermanent))
            return;
        var (offset, length) = (Slot.Offset(slot.Word), Slot.Length(slot.Word));
        Slots.Add(new Slot { Ticks = slot.Ticks, Word = Slot.Moved(slot.Word, Bytes.Count - offset) });
        Bytes.AddRange(bytes.Slice(offset, length));
    }
}
