namespace AsyncLog;

/// <summary>Makes the sink of one instance for the transport its endpoint asks for.</summary>
internal static class SyslogSinkFactory
{
    /// <param name="options">Resolved options: endpoint, limit and time-outs are set.</param>
    /// <param name="context">The instance.</param>
    public static ILogSink Create(AsyncSyslogOptions options, SinkContext context) =>
        throw new NotSupportedException($"No transport for {options.Endpoint} to {context.Name}.");
}
