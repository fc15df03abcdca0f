using System.Collections.Concurrent;

namespace AsyncLog;

/// <summary>What a file can be asked for while it is written.</summary>
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

    /// <summary>Whether nothing is answered any more.</summary>
    public bool IsClosed => _isClosed;

    /// <summary>Whether something waits for the worker.</summary>
    public bool IsAny => !_waiting.IsEmpty;

    /// <summary>Any thread.</summary>
    /// <returns>Whether it was done.</returns>
    public Task<bool> Ask(FileRequest request)
    {
        var answer = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        _waiting.Enqueue((request, answer));

        // Either the closing sees the request or this sees the closing.
        Interlocked.MemoryBarrier();
        if (_isClosed)
            RefuseAll();
        return answer.Task;
    }

    /// <summary>Does what was asked for. Worker only.</summary>
    /// <param name="fulfil">Answers whether it was done; what it throws passes on.</param>
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

    /// <summary>Refuses what waits and whatever comes.</summary>
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
