namespace AsyncLog;

/// <summary>Begins new files and opens files anew on request. A singleton service wherever <c>AddAsyncFile</c> was called.</summary>
/// <remarks>The instance's worker does it at the next record boundary; records accepted before but not written yet may come after it. Call
/// <see cref="IAsyncLogControl.FlushAsync"/> first where that matters.</remarks>
public interface IAsyncFileControl
{
    /// <summary>Finishes the active file and begins the next one; an empty file stays.</summary>
    /// <param name="instance">The file's name, for example <c>errors</c>, or <c>default</c>; null: every file.</param>
    /// <param name="timeout">How long to wait at most; null is 5 s.</param>
    /// <param name="cancellationToken">Gives up waiting.</param>
    /// <returns>True when it is done; false when it failed (the old file goes on), when the time was over first (it is done as soon as it can be), or
    /// when there is no such file.</returns>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was set. Nothing else is thrown.</exception>
    ValueTask<bool> RollAsync(string? instance = null, TimeSpan? timeout = null, CancellationToken cancellationToken = default);

    /// <summary>Opens what is at the path now, if that is not the open file any more; for programs that rename log files.</summary>
    /// <param name="instance">The file's name, for example <c>errors</c>, or <c>default</c>; null: every file.</param>
    /// <param name="timeout">How long to wait at most; null is 5 s.</param>
    /// <param name="cancellationToken">Gives up waiting.</param>
    /// <returns>True when it is done; false when it failed (tried again with the next record), when the time was over first (it is done as soon as it
    /// can be), or when there is no such file.</returns>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was set. Nothing else is thrown.</exception>
    ValueTask<bool> ReopenAsync(string? instance = null, TimeSpan? timeout = null, CancellationToken cancellationToken = default);
}
