using System.Buffers;

namespace AsyncLog.Tests;

/// <summary>Keeps every byte it says it wrote, in order.</summary>
internal sealed class StressSink(SinkMood mood, int seed) : ILogSink
{
    private readonly Random _random = new(seed);
    private readonly ArrayBufferWriter<byte> _written = new();
    private readonly object _pause = new();

    public ReadOnlySpan<byte> Written => _written.WrittenSpan;

    /// <summary>What it refused and why.</summary>
    public List<(DropReason Reason, StressRecord Record)> Refused { get; } = [];

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
            var index = _random.Next(batch.Count);
            Keep(batch, index, DropReason.WriteFailed);
            batch.Refuse(index, DropReason.WriteFailed);
        }

        if (batch.Count == 0 || _random.Next(50) != 0)
            return;
        for (var index = 0; index < batch.Count; index++)
            Keep(batch, index, DropReason.SinkPermanent);
        batch.RefuseRest(DropReason.SinkPermanent);
    }

    private void Keep(LogBatch batch, int index, DropReason reason)
        => Refused.Add((reason, StressRecord.Parse(batch[index].Bytes.Span.TrimEnd((byte)'\n')) ?? throw new InvalidOperationException("the batch holds a torn record")));

    private void Pause(int milliseconds)
    {
        lock (_pause)
            Monitor.Wait(_pause, milliseconds);
    }
}
