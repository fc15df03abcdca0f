using System.Diagnostics;

namespace AsyncLog.Tests.Transport;

/// <summary>An application that traces everything HTTP: counts the spans of clients of one server.</summary>
internal sealed class SpanCounter : IDisposable
{
    private readonly ActivityListener _listener;
    private int _count;

    /// <param name="port">The server's.</param>
    public SpanCounter(int port)
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "System.Net.Http",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = activity => Interlocked.Add(ref _count, activity.GetTagItem("server.port") is int server && server == port ? 1 : 0),
        };
        ActivitySource.AddActivityListener(_listener);
    }

    public int Count => Volatile.Read(ref _count);

    public void Dispose() => _listener.Dispose();
}
