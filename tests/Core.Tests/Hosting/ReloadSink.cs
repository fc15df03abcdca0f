using System.Text;

namespace AsyncLog.Tests.Hosting;

/// <summary>A destination in memory that may be told to fail, and that notes where a new layout began.</summary>
internal sealed class ReloadSink(string destination) : IOpenableLogSink, IFlushableLogSink
{
    public const string Roll = "-- roll --";
    private readonly StringBuilder _text = new();

    public string Destination { get; } = destination;

    public int Tuning { get; set; }

    public bool IsDisposed { get; private set; }

    /// <summary>Runs on opening.</summary>
    public Action? Opening { get; set; }

    /// <summary>Runs at the start of each call of <see cref="WriteAsync"/>.</summary>
    public Action<LogBatch, CancellationToken>? Before { get; set; }

    /// <summary>Runs in each flush; false: something may be lost.</summary>
    public Func<bool> Flushing { get; set; } = static () => true;

    public string Text
    {
        get
        {
            lock (_text)
                return _text.ToString();
        }
    }

    public string[] Lines => Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    public ValueTask OpenAsync(CancellationToken cancellationToken)
    {
        Opening?.Invoke();
        return default;
    }

    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        Assert.False(IsDisposed);
        Before?.Invoke(batch, cancellationToken);
        Take(batch, batch.Bytes.Length);
        return default;
    }

    public ValueTask<bool> FlushAsync(CancellationToken cancellationToken) => ValueTask.FromResult(Flushing());

    public void Take(LogBatch batch, int bytes)
    {
        Append(Encoding.UTF8.GetString(batch.Bytes.Span[..bytes]));
        batch.Advance(bytes);
    }

    public void RollForNewLayout() => Append($"{Roll}\n");

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return default;
    }

    private void Append(string text)
    {
        lock (_text)
            _text.Append(text);
    }
}
