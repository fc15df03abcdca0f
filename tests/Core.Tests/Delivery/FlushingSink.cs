namespace AsyncLog.Tests.Delivery;

/// <summary>A sink that has to be flushed; the test says how that goes.</summary>
internal sealed class FlushingSink : IFlushableLogSink
{
    private int _flushes;

    /// <summary>Runs in each flush, on the worker.</summary>
    public Func<bool> Flush { get; set; } = static () => true;

    /// <summary>Runs before each write.</summary>
    public Action<LogBatch> Before { get; set; } = static _ => { };

    public int Flushes => Volatile.Read(ref _flushes);

    /// <summary>How many records were written when it was flushed last.</summary>
    public int WrittenAtFlush { get; private set; }

    public int Written { get; private set; }

    public bool IsDisposed { get; private set; }

    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        Before(batch);
        Written += batch.Count;
        batch.Advance(batch.Bytes.Length);
        return default;
    }

    public async ValueTask<bool> FlushAsync(CancellationToken cancellationToken)
    {
        await Task.Yield();
        WrittenAtFlush = Written;
        Interlocked.Increment(ref _flushes);
        return Flush();
    }

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return default;
    }
}
