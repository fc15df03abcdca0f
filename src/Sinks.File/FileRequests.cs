using System.Collections.Concurrent;

namespace AsyncLog;

/// <summary>Requests to a running file sink.</summary>
internal enum FileRequest
{
    Roll,
    Reopen,
}

/// <summary>Passes requests from any thread to the worker, and returns its results.</summary>
internal sealed class FileRequests
{
    private readonly ConcurrentQueue<Waiting> _waiting = new();
    private volatile bool _isClosed;

    /// <summary>True if every request is refused.</summary>
    public bool IsClosed => _isClosed;

    /// <summary>True if a request waits for the worker.</summary>
    public bool IsAny => !_waiting.IsEmpty;

    /// <summary>Adds a request. Any thread.</summary>
    /// <returns>True if it was done.</returns>
    public Task<bool> Add(FileRequest request)
    {
        var answer = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        _waiting.Enqueue(new Waiting(request, answer));

        // Pairs with the barrier in Close: either closing sees the request, or this thread sees the flag.
        Interlocked.MemoryBarrier();
        if (_isClosed)
            RefuseAll();
        return answer.Task;
    }

    /// <summary>Runs the pending requests. Worker only.</summary>
    /// <param name="fulfil">Returns whether it was done; its exceptions are not caught.</param>
    public void Serve(Func<FileRequest, bool> fulfil)
    {
        while (_waiting.TryDequeue(out Waiting? next))
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

    /// <summary>Refuses pending and later requests.</summary>
    public void Close()
    {
        _isClosed = true;
        Interlocked.MemoryBarrier();
        RefuseAll();
    }

    private void RefuseAll()
    {
        while (_waiting.TryDequeue(out Waiting? next))
            next.Answer.TrySetResult(false);
    }

    private sealed record Waiting(FileRequest Request, TaskCompletionSource<bool> Answer);
}
