using System.Collections.Concurrent;
using System.Text;

namespace AsyncLog.Tests.Delivery;

/// <summary>A sink that keeps what it is given and does what the test says before that.</summary>
internal sealed class TestSink : ILogSink
{
    private readonly ConcurrentQueue<string> _records = new();
    private readonly StringBuilder _bytes = new();

    /// <summary>Runs at the start of each call of <see cref="WriteAsync"/>, on the worker.</summary>
    public Action<LogBatch>? Before { get; set; }

    /// <summary>False: it says nothing of what it wrote, which a sink that wrote all may do.</summary>
    public bool Advances { get; init; } = true;

    public IReadOnlyList<string> Records => [.. _records];

    public int Calls { get; private set; }

    public bool IsDisposed { get; private set; }

    /// <summary>Everything it wrote, byte after byte.</summary>
    public string Text
    {
        get
        {
            lock (_bytes)
                return _bytes.ToString();
        }
    }

    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        Calls++;
        Before?.Invoke(batch);
        for (var i = 0; i < batch.Count; i++)
            _records.Enqueue(Encoding.UTF8.GetString(batch[i].Bytes.Span).TrimEnd('\n'));
        Take(batch, batch.Bytes.Length);
        return default;
    }

    /// <summary>Writes a part, as a sink does that is interrupted.</summary>
    public void Take(LogBatch batch, int bytes)
    {
        lock (_bytes)
            _bytes.Append(Encoding.UTF8.GetString(batch.Bytes.Span[..bytes]));
        if (Advances)
            batch.Advance(bytes);
    }

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return default;
    }
}
