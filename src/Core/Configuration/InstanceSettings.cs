namespace AsyncLog;

/// <summary>One instance as it shall be: bound, checked, resolved. Nobody changes the options any more.</summary>
internal sealed class InstanceSettings<TOptions>
    where TOptions : SinkOptions
{
    /// <summary><c>errors</c>; <c>default</c> for the instance the section itself describes.</summary>
    public required string Name { get; init; }

    /// <summary><c>file/errors</c>.</summary>
    public required string FullName { get; init; }

    public required TOptions Options { get; init; }

    /// <summary>The levels only this instance has; empty where it follows the provider.</summary>
    public required LevelMap OwnLevels { get; init; }

    public required RecordLayout Layout { get; init; }

    /// <summary>The destination no other instance may have; null where sharing is fine.</summary>
    public string? Target { get; init; }

    /// <summary>The key path that is blamed for the destination.</summary>
    public required string TargetPlace { get; init; }

    /// <summary>The destination as it was written.</summary>
    public required string TargetText { get; init; }
}
