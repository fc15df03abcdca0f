using System.Diagnostics;

namespace AsyncLog.Tests.Transport;

/// <summary>An application that traces everything HTTP: counts the spans of clients.</summary>
internal sealed class SpanCounter : IDisposable
{
    private readonly ActivityListener _listener;
    private int _count;

    public SpanCounter()
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "System.Net.Http",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStarted = _ => Interlocked.Increment(ref _count),
        };
        ActivitySource.AddActivityListener(_listener);
    }

    public int Count => Volatile.Read(ref _count);

    public void Dispose() => _listener.Dispose();
}
