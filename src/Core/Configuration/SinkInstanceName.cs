namespace AsyncLog;

/// <summary>The name of an instance that code registered.</summary>
internal sealed record SinkInstanceName<TOptions>(string Name)
    where TOptions : SinkOptions;
