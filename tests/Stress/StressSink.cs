using System.Buffers;

namespace AsyncLog.Stress;

/// <summary>Keeps every byte it says it wrote, in order.</summary>
internal sealed class StressSink(SinkMood mood, int seed) : ILogSink
{
    private readonly Random _random = new(seed);
    private readonly ArrayBufferWriter<byte> _written = new();
    private readonly object _pause = new();

    public ReadOnlySpan<byte> Written => _written.WrittenSpan;

    /// <summary>Records it refused; the judge adds them to what it read.</summary>
    public long Refused { get; private set; }

    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        switch (mood)
        {
            case SinkMood.Slow:
                Pause(_random.Next(1, 4));
                break;
            case SinkMood.Failing when _random.Next(20) == 0:
                throw new LogSinkException("stress", "the sink failed on purpose");
            case SinkMood.Partial when _random.Next(10) == 0:
                var part = _random.Next(batch.Bytes.Length + 1);
                _written.Write(batch.Bytes.Span[..part]);
                batch.Advance(part);
                throw new LogSinkException("stress", "the sink failed half-way on purpose");
            case SinkMood.Refusing:
                Refuse(batch);
                break;
        }

        _written.Write(batch.Bytes.Span);
        batch.Advance(batch.Bytes.Length);
        return default;
    }

    // The judge reads what was written after the instance is disposed.
    public ValueTask DisposeAsync() => default;

    private void Refuse(LogBatch batch)
    {
        while (batch.Count > 0 && _random.Next(3) == 0)
        {
            batch.Refuse(_random.Next(batch.Count), DropReason.WriteFailed);
            Refused++;
        }

        if (batch.Count == 0 || _random.Next(50) != 0)
            return;
        Refused += batch.Count;
        batch.RefuseRest(DropReason.SinkPermanent);
    }

    private void Pause(int milliseconds)
    {
        lock (_pause)
            Monitor.Wait(_pause, milliseconds);
    }
}
