namespace AsyncLog;

/// <summary>A sink whose destination can be opened before the first record.</summary>
/// <remarks>A failure to open is then reported at start, <see cref="SinkOptions.FailFastOnStart"/> can throw, and a reload can open the new destination
/// before it leaves the old one.</remarks>
public interface IOpenableLogSink : ILogSink
{
    /// <summary>Opens the destination. Called at most once, before any other member; throws what <see cref="ILogSink.WriteAsync"/> would throw.</summary>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    ValueTask OpenAsync(CancellationToken cancellationToken);
}
