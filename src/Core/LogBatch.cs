namespace AsyncLog;

/// <summary>What a sink is given: records that lie contiguously, in the order they were accepted, and the means to say what became of them.</summary>
/// <remarks>Valid only until the task of <see cref="ILogSink.WriteAsync"/> ends. Progress made by <see cref="Advance"/> and the
/// <c>Refuse</c> methods survives a throw: the next call sees only what is left, so nothing is written twice.</remarks>
public sealed partial class LogBatch
{
    /// <summary>What is left, contiguous. The first byte may lie inside a record after <see cref="Advance"/>.</summary>
    public ReadOnlyMemory<byte> Bytes => throw null!;

    /// <summary>The number of records left; a record whose bytes were advanced over in part is still left.</summary>
    public int Count => throw null!;

    /// <summary>A record that is left.</summary>
    /// <param name="index">0 is the oldest that is left; its <see cref="LogRecord.Bytes"/> are whole, also when part of them was advanced over.</param>
    public LogRecord this[int index] => throw null!;

    /// <summary>Says that the first bytes of what is left are written.</summary>
    /// <param name="bytes">How many; 0 to the length of <see cref="Bytes"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">More than is left, or negative.</exception>
    public void Advance(int bytes) => throw null!;

    /// <summary>Refuses one record for good and takes it out of what is left.</summary>
    /// <param name="index">As in the indexer.</param>
    /// <param name="reason">A reason that belongs after acceptance.</param>
    /// <exception cref="ArgumentException"><paramref name="reason"/> belongs before acceptance.</exception>
    public void Refuse(int index, DropReason reason) => throw null!;

    /// <summary>Refuses everything that is left, for good.</summary>
    /// <param name="reason">A reason that belongs after acceptance.</param>
    public void RefuseRest(DropReason reason) => throw null!;

    /// <summary>Counts records as refused that the peer did not name; levels are taken from the front of what is left, an estimate.</summary>
    /// <param name="count">How many; more than is left counts as all.</param>
    /// <param name="reason">A reason that belongs after acceptance.</param>
    public void RefuseCount(int count, DropReason reason) => throw null!;
}
