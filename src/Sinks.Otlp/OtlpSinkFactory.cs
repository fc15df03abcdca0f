namespace AsyncLog;

/// <summary>Makes the sink of one instance.</summary>
internal static class OtlpSinkFactory
{
    /// <param name="options">Resolved options: <see cref="AsyncOtlpOptions.Endpoint"/> is the whole address of requests.</param>
    /// <param name="context">The instance.</param>
    public static ILogSink Create(AsyncOtlpOptions options, SinkContext context) =>
        throw new LogSinkException("not_supported", $"{context.Name} has no transport for {options.Protocol}.", isPermanent: true);
}
