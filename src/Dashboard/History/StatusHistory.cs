namespace AsyncLog;

/// <summary>Ten minutes of all instances, a point per second, so that a page opened after the trouble still shows it.</summary>
internal sealed class StatusHistory : IDisposable
{
    /// <summary>How far it reaches back.</summary>
    public static readonly TimeSpan Length = TimeSpan.FromMinutes(10);

    /// <summary>The time from point to point.</summary>
    public static readonly TimeSpan Step = TimeSpan.FromSeconds(1);

    private readonly IAsyncLogControl _control;
    private readonly Histograms _histograms;
    private readonly ITimer _timer;

    // Protects the points; taken by the timer and by requests, and nothing foreign runs under it.
    private readonly Lock _gate = new();
    private readonly Queue<HistoryPoint> _points = new();
    private long _missed;

    public StatusHistory(IAsyncLogControl control, Histograms histograms, TimeProvider timeProvider)
    {
        _control = control;
        _histograms = histograms;
        _timer = timeProvider.CreateTimer(static state => ((StatusHistory)state!).Tick(), this, Step, Step);
    }

    /// <summary>Points that could not be taken because reading the status failed.</summary>
    public long Missed => Interlocked.Read(ref _missed);

    /// <summary>All points, oldest first.</summary>
    public IReadOnlyList<HistoryPoint> Points()
    {
        lock (_gate)
            return [.. _points];
    }

    /// <summary>What a status becomes as a point.</summary>
    public HistoryPoint PointOf(AsyncLogStatus status) => HistoryPoint.Of(status, _histograms.Read());

    public void Dispose() => _timer.Dispose();

    private void Tick()
    {
        try
        {
            Add(PointOf(_control.GetStatus()));
        }
        catch (Exception)
        {
            // Counted and shown: an exception of a timer would end the process, which a picture of it must not.
            Interlocked.Increment(ref _missed);
        }
    }

    private void Add(HistoryPoint point)
    {
        lock (_gate)
        {
            _points.Enqueue(point);
            while (_points.Peek().At < point.At - Length)
                _points.Dequeue();
        }
    }
}
