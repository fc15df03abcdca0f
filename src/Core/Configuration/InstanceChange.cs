namespace AsyncLog;

/// <summary>How one instance changes.</summary>
/// <param name="Old">As it runs.</param>
/// <param name="New">As it shall be.</param>
/// <param name="Reload">The strongest thing to do; <see cref="OptionReload.NextStart"/> when nothing can be done now.</param>
/// <param name="RebuildsSink">Whether the destination has to be opened anew; otherwise another queue in front of it will do.</param>
/// <param name="Keys">The options that take effect now.</param>
/// <param name="NextStartKeys">The options that take effect at the next start.</param>
internal sealed record InstanceChange<TOptions>(
    InstanceSettings<TOptions> Old,
    InstanceSettings<TOptions> New,
    OptionReload Reload,
    bool RebuildsSink,
    IReadOnlyList<string> Keys,
    IReadOnlyList<string> NextStartKeys)
    where TOptions : SinkOptions;
