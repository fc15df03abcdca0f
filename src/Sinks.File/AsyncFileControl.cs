using System.Collections.Concurrent;

namespace AsyncLog;

/// <summary>Passes requests on to the running files of a container. Any thread.</summary>
internal sealed class AsyncFileControl : IAsyncFileControl
{
    private const string Type = "file/";
    private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(5);

    // Protects the list. A file that is changed over to another path is there twice for a while; the later one counts.
    private readonly Lock _gate = new();
    private readonly List<(string Name, FileSink Sink)> _running = [];

    /// <param name="name">The instance's full name: <c>file/errors</c>.</param>
    /// <param name="sink">Its sink; forgotten when it has ended.</param>
    public void Add(string name, FileSink sink)
    {
        lock (_gate)
        {
            _running.RemoveAll(static running => running.Sink.HasEnded);
            _running.Add((name, sink));
        }
    }

    public ValueTask<bool> RollAsync(string? instance = null, TimeSpan? timeout = null, CancellationToken cancellationToken = default) =>
        RequestAsync(FileRequest.Roll, instance, timeout, cancellationToken);

    public ValueTask<bool> ReopenAsync(string? instance = null, TimeSpan? timeout = null, CancellationToken cancellationToken = default) =>
        RequestAsync(FileRequest.Reopen, instance, timeout, cancellationToken);

    private async ValueTask<bool> RequestAsync(FileRequest request, string? instance, TimeSpan? timeout, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        List<FileSink> sinks = Find(instance);
        if (sinks.Count == 0)
            return false;
        Task<bool[]> all = Task.WhenAll(sinks.Select(sink => sink.RequestAsync(request)));
        try
        {
            bool[] done = await all.WaitAsync(Waitable(timeout ?? DefaultTimeout), sinks[0].TimeProvider, cancellationToken).ConfigureAwait(false);
            return Array.TrueForAll(done, static isDone => isDone);
        }
        catch (TimeoutException)
        {
            // False says that it is not done yet.
            return false;
        }
    }

    // Beyond seven weeks no task can be waited for: that is as good as no end.
    private static TimeSpan Waitable(TimeSpan timeout) =>
        timeout.TotalMilliseconds is -1 or >= uint.MaxValue ? Timeout.InfiniteTimeSpan : timeout < TimeSpan.Zero ? TimeSpan.Zero : timeout;

    private List<FileSink> Find(string? instance)
    {
        lock (_gate)
        {
            return [.. _running.Where(running => !running.Sink.HasEnded && IsMeant(running.Name, instance)).GroupBy(static running => running.Name)
                .Select(static sameName => sameName.Last().Sink)];
        }
    }

    private static bool IsMeant(string name, string? instance) =>
        instance is null || name.Equals(Type + instance, StringComparison.OrdinalIgnoreCase) || name.Equals(instance, StringComparison.OrdinalIgnoreCase);
}

/// <summary>What can be requested of a running file sink.</summary>
internal enum FileRequest
{
    Roll,
    Reopen,
}

/// <summary>Carries requests from any thread to the worker, and answers back.</summary>
internal sealed class FileRequests
{
    private readonly ConcurrentQueue<(FileRequest Request, TaskCompletionSource<bool> Answer)> _waiting = new();
    private volatile bool _isClosed;

    /// <summary>Whether every request is refused.</summary>
    public bool IsClosed => _isClosed;

    /// <summary>Whether a request waits for the worker.</summary>
    public bool IsAny => !_waiting.IsEmpty;

    /// <summary>Adds a request. Any thread.</summary>
    /// <returns>Whether it was done.</returns>
    public Task<bool> Add(FileRequest request)
    {
        var answer = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        _waiting.Enqueue((request, answer));

        // Pairs with the barrier in Close: either closing sees the request, or this thread sees the flag.
        Interlocked.MemoryBarrier();
        if (_isClosed)
            RefuseAll();
        return answer.Task;
    }

    /// <summary>Fulfils what was requested. Worker only.</summary>
    /// <param name="fulfil">Returns whether it was done; its exceptions are not caught.</param>
    public void Serve(Func<FileRequest, bool> fulfil)
    {
        while (_waiting.TryDequeue(out (FileRequest Request, TaskCompletionSource<bool> Answer) next))
        {
            bool isDone = false;
            try
            {
                isDone = fulfil(next.Request);
            }
            finally
            {
                next.Answer.TrySetResult(isDone);
            }
        }
    }

    /// <summary>Refuses what waits and every later request.</summary>
    public void Close()
    {
        _isClosed = true;
        Interlocked.MemoryBarrier();
        RefuseAll();
    }

    private void RefuseAll()
    {
        while (_waiting.TryDequeue(out (FileRequest Request, TaskCompletionSource<bool> Answer) next))
            next.Answer.TrySetResult(false);
    }
}
