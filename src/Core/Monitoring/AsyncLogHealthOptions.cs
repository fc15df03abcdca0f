namespace AsyncLog;

/// <summary>When the health check of AsyncLog says what. Set in code, by <c>AddHealthChecks().AddAsyncLog(o => …)</c>.</summary>
/// <remarks>Nothing is unhealthy unless it is asked for: to take an application out of rotation does not bring its log collector back.</remarks>
public sealed class AsyncLogHealthOptions
{
    /// <summary>How full a queue may get, in percent of either bound, before the result is degraded.</summary>
    /// <value>1 to 100; default 80.</value>
    public int DegradedQueuePercentage { get; set; } = 80;

    /// <summary>How full a queue may get, in percent of either bound, before the result is unhealthy.</summary>
    /// <value>1 to 100, not less than <see cref="DegradedQueuePercentage"/>; default null: never.</value>
    public int? UnhealthyQueuePercentage { get; set; }

    /// <summary>How many records lost within <see cref="Window"/> make the result degraded.</summary>
    /// <value>At least 1; default 1.</value>
    public long DegradedDropCount { get; set; } = 1;

    /// <summary>How many records lost within <see cref="Window"/> make the result unhealthy.</summary>
    /// <value>Not less than <see cref="DegradedDropCount"/>; default null: never.</value>
    public long? UnhealthyDropCount { get; set; }

    /// <summary>How long a record may wait before the result is degraded.</summary>
    /// <value>More than zero; default 30 s.</value>
    public TimeSpan DegradedOldestAge { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>How far the check looks back: the result gets better when it was clean for so long.</summary>
    /// <value>1 s to 10 minutes; default 1 minute.</value>
    public TimeSpan Window { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>The instances to watch, for example <c>file/audit</c>; ignoring case.</summary>
    /// <value>Default empty: all.</value>
    public ICollection<string> Instances { get; } = [];

    /// <summary>Whether an instance is unhealthy, for whatever else matters: asked for each instance that is watched.</summary>
    /// <value>Default null: never.</value>
    public Func<SinkStatus, bool>? UnhealthyWhen { get; set; }
}
