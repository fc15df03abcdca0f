namespace AsyncLog;

/// <summary>The provider of a sink of others. The alias stands on the class of the sink.</summary>
internal sealed class CustomSinkProvider<TSink, TOptions>(SinkServices<TOptions> services) : SinkLoggerProvider<TOptions>(services)
    where TSink : class, ILogSink
    where TOptions : SinkOptions, new();
