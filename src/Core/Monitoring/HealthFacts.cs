namespace AsyncLog;

/// <summary>What the state of an instance is computed from, besides what was told to <see cref="SinkHealth"/> as it happened.</summary>
internal readonly record struct HealthFacts
{
    /// <summary>All drops so far.</summary>
    public long Drops { get; init; }

    /// <summary>When the last of them happened.</summary>
    public DateTimeOffset LastDrop { get; init; }

    /// <summary>Since when records wait and none is delivered; null when none waits.</summary>
    public DateTimeOffset? UnservedSince { get; init; }

    /// <summary>How full the queue is, 0 to 1.</summary>
    public double Fill { get; init; }

    /// <summary>What is wrong with the configuration, or null.</summary>
    public string? ConfigurationProblem { get; init; }
}
