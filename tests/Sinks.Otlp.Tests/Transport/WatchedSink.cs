using System.Collections.Concurrent;

namespace AsyncLog.Tests.Transport;

/// <summary>Keeps what the sink throws to its worker.</summary>
internal sealed class WatchedSink(OtlpSink inner) : ILogSink
{
    private readonly ConcurrentQueue<Exception> _thrown = new();

    public IReadOnlyList<LogSinkException> Thrown => [.. _thrown.OfType<LogSinkException>()];

    public IReadOnlyList<Exception> Unexpected => [.. _thrown.Where(static exception => exception is not LogSinkException)];

    public async ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        try
        {
            await inner.WriteAsync(batch, cancellationToken);
        }
        catch (Exception exception)
        {
            _thrown.Enqueue(exception);
            throw;
        }
    }

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
