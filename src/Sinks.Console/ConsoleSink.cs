using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Writes records to standard output and standard error. One worker calls it; only that thread waits for a reader.</summary>
internal sealed class ConsoleSink : ILogSink
{
    private readonly StandardStream _stream;
    private readonly StandardStream _error;
    private readonly LogLevel _errorLevel;
    private readonly TimeProvider _time;

    /// <param name="errorLevel">None: all records go to <paramref name="stream"/>.</param>
    public ConsoleSink(StandardStream stream, StandardStream error, LogLevel errorLevel, SinkContext context)
    {
        _stream = stream;
        _error = error;
        _errorLevel = errorLevel;
        _time = context.TimeProvider;
        context.SetTarget(stream.Name);
    }

    /// <inheritdoc/>
    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        while (batch.Count > 0)
        {
            var stream = StreamOf(batch[0].Level);
            batch.Advance(stream.Write(batch.Bytes.Span[..NextLength(batch, stream)], _time, cancellationToken));
        }

        return default;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => default;

    // The first records for one stream that one write takes whole; of a record that is longer, as much as one write takes.
    private int NextLength(LogBatch batch, StandardStream stream)
    {
        if (batch.Bytes.Length <= stream.MaxWrite && _errorLevel == LogLevel.None)
            return batch.Bytes.Length;
        var length = batch[0].Bytes.Length - batch.FirstRecordBytesWritten;
        for (var i = 1; i < batch.Count; i++)
        {
            var record = batch[i];
            if (length + record.Bytes.Length > stream.MaxWrite || !ReferenceEquals(StreamOf(record.Level), stream))
                break;
            length += record.Bytes.Length;
        }

        return Math.Min(length, stream.MaxWrite);
    }

    private StandardStream StreamOf(LogLevel level) => level >= _errorLevel && level != LogLevel.None ? _error : _stream;
}
