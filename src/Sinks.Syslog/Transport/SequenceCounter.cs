namespace AsyncLog;

/// <summary>The number of the next record of one sink (RFC 5424 §7.3.1). It moves on when a record was handed to the transport, sent or not.</summary>
internal sealed class SequenceCounter(int first = 1)
{
    public int Next { get; private set; } = first;

    public void Advance(int records)
    {
        for (int i = 0; i < records; i++)
            Next = SequenceIdInsertion.Next(Next);
    }
}
