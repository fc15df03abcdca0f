namespace AsyncLog;

/// <summary>Begins new files and reopens files on request. <c>AddAsyncFile</c> registers it as a singleton.</summary>
/// <remarks>The worker of the instance does it at the next record boundary. Records that were accepted before but are not written yet may follow it. If that matters, call
/// <see cref="IAsyncLogControl.FlushAsync(TimeSpan?, CancellationToken)"/> first.</remarks>
public interface IAsyncFileControl
{
    /// <summary>Finishes the active file and begins the next one; an empty file stays.</summary>
    /// <param name="instance">The file's name, for example <c>errors</c>, or <c>default</c>; null: every file.</param>
    /// <param name="timeout">The longest time to wait; null: 5 s.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>True if it is done. False if it failed (the old file stays in use), or if the time is over (it is done as soon as possible).</returns>
    /// <exception cref="ArgumentException">There is no such file; the message lists those that there are.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was canceled.</exception>
    Task<bool> RollAsync(string? instance = null, TimeSpan? timeout = null, CancellationToken cancellationToken = default);

    /// <summary>Reopens the path if it is no longer the open file; for programs that rename log files.</summary>
    /// <param name="instance">The file's name, for example <c>errors</c>, or <c>default</c>; null: every file.</param>
    /// <param name="timeout">The longest time to wait; null: 5 s.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>True if it is done. False if it failed (the next record tries again), or if the time is over (it is done as soon as possible).</returns>
    /// <exception cref="ArgumentException">There is no such file; the message lists those that there are.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was canceled.</exception>
    Task<bool> ReopenAsync(string? instance = null, TimeSpan? timeout = null, CancellationToken cancellationToken = default);
}

/// <summary>Passes requests to the running file sinks of a container. Any thread.</summary>
internal sealed class AsyncFileControl : IAsyncFileControl
{
    private const string Type = "file/";
    private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(5);

    // Protects the list. An instance whose path changes is there twice until its old sink has drained; the later one counts.
    private readonly Lock _gate = new();
    private readonly List<(string Name, FileSink Sink)> _running = [];

    /// <param name="name">The instance's full name: <c>file/errors</c>.</param>
    /// <param name="sink">Its sink; removed after it has ended.</param>
    public void Add(string name, FileSink sink)
    {
        lock (_gate)
        {
            _running.RemoveAll(static running => running.Sink.HasEnded);
            _running.Add((name, sink));
        }
    }

    public Task<bool> RollAsync(string? instance = null, TimeSpan? timeout = null, CancellationToken cancellationToken = default) =>
        RequestAsync(FileRequest.Roll, instance, timeout, cancellationToken);

    public Task<bool> ReopenAsync(string? instance = null, TimeSpan? timeout = null, CancellationToken cancellationToken = default) =>
        RequestAsync(FileRequest.Reopen, instance, timeout, cancellationToken);

    private async Task<bool> RequestAsync(FileRequest request, string? instance, TimeSpan? timeout, CancellationToken cancellationToken)
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
            // False means that it is not done yet.
            return false;
        }
    }

    // Task.WaitAsync takes at most seven weeks; a longer time counts as infinite.
    private static TimeSpan Waitable(TimeSpan timeout) =>
        timeout.TotalMilliseconds is -1 or >= uint.MaxValue ? Timeout.InfiniteTimeSpan : timeout < TimeSpan.Zero ? TimeSpan.Zero : timeout;

    private List<FileSink> Find(string? instance)
    {
        lock (_gate)
        {
            var running = _running.Where(static running => !running.Sink.HasEnded).GroupBy(static running => running.Name).Select(static sameName => sameName.Last()).ToList();
            var meant = running.FindAll(running => IsMeant(running.Name, instance));
            if (meant.Count == 0 && instance is not null)
                throw InstanceName.Unknown("file", instance, running.ConvertAll(static running => running.Name[Type.Length..]));
            return meant.ConvertAll(static running => running.Sink);
        }
    }

    private static bool IsMeant(string name, string? instance) =>
        instance is null || name.Equals(Type + instance, StringComparison.OrdinalIgnoreCase) || name.Equals(instance, StringComparison.OrdinalIgnoreCase);
}
