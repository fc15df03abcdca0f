namespace AsyncLog;

/// <summary>Delivers records to one destination. One object serves one instance (<c>file/errors</c>).</summary>
/// <remarks>
/// <para>The instance's worker, a thread of its own, is the only caller: one batch at a time, never two calls at once.</para>
/// <para>A normal return means that all that was left of the batch is written. Throwing means "try again later with what is left": the
/// worker counts the error, reports it once per episode, backs off and calls again. What can never be written is refused with
/// <see cref="LogBatch.Refuse"/> and its relatives.</para>
/// <para>A sink never logs through <c>ILogger</c>: what it logs is dropped as <see cref="DropReason.Reentrant"/>.</para>
/// </remarks>
public interface ILogSink : IAsyncDisposable
{
    /// <summary>Writes what is left of the batch.</summary>
    /// <param name="batch">The records; they and their memory are valid only until the returned task ends. May be empty.</param>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    /// <returns>A task that ends when everything left is written or refused.</returns>
    ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken);
}
