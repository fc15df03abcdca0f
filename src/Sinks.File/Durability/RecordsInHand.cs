using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>What is still in memory of the records written since the last sync: those of the batch in hand. Worker only, within one call.</summary>
internal sealed class RecordsInHand
{
    private ReadOnlyMemory<byte> _records;
    private LogBatch? _batch;
    private int _synced;

    /// <summary>What is written and not synced: whole records, unless the batch is in the middle of one.</summary>
    public ReadOnlyMemory<byte> Unsynced => _batch is null ? default : _records[_synced..Written];

    private int Written => _batch is null ? 0 : _records.Length - _batch.Bytes.Length;

    /// <summary>Takes a batch in hand, with the beginning of its first record.</summary>
    public void Take(LogBatch batch)
    {
        int begun = ActiveFile.BegunOf(batch);
        MemoryMarshal.TryGetArray(batch.Bytes, out ArraySegment<byte> left);
        _records = new ReadOnlyMemory<byte>(left.Array, left.Offset - begun, left.Count + begun);
        _batch = batch;
        _synced = 0;
    }

    /// <summary>What is written is synced.</summary>
    public void Synced() => _synced = Written;

    /// <summary>The call ends, and with it the memory.</summary>
    public void Release()
    {
        _batch = null;
        _records = default;
        _synced = 0;
    }
}
