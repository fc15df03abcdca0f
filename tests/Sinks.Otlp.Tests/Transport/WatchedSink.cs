using System.Collections.Concurrent;

namespace AsyncLog.Tests.Transport;

/// <summary>Keeps what the sink throws to its worker, and opens when the test lets it.</summary>
internal sealed class WatchedSink(OtlpSink inner, ManualResetEventSlim? isOpen = null) : IOpenableLogSink
{
    private readonly ConcurrentQueue<Exception> _thrown = new();
    private volatile bool _isWriting;

    public IReadOnlyList<LogSinkException> Thrown => [.. _thrown.OfType<LogSinkException>()];

    public IReadOnlyList<Exception> Unexpected => [.. _thrown.Where(static exception => exception is not LogSinkException)];

    /// <summary>Whether a batch is being written: from before its first attempt to after its last.</summary>
    public bool IsWriting => _isWriting;

    /// <summary>Whether any batch went on, on a thread of the pool, after the worker's call had returned.</summary>
    public bool HasLeftWorker { get; private set; }

    public ValueTask OpenAsync(CancellationToken cancellationToken)
    {
        isOpen?.Wait(cancellationToken);
        return default;
    }

    /// <summary>The bytes of the longest record that it was given, as it lies in a request.</summary>
    public int LongestRecord { get; private set; }

    public async ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        _isWriting = true;
        for (int i = 0; i < batch.Count; i++)
            LongestRecord = Math.Max(LongestRecord, batch[i].Bytes.Length);
        try
        {
            ValueTask writing = inner.WriteAsync(batch, cancellationToken);
            HasLeftWorker |= !writing.IsCompleted;
            await writing;
        }
        catch (Exception exception)
        {
            _thrown.Enqueue(exception);
            throw;
        }
        finally
        {
            _isWriting = false;
        }
    }

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
