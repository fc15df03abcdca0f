namespace AsyncLog.Bench;

/// <summary>How a gate came out.</summary>
internal enum GateVerdict
{
    /// <summary>Not in this run.</summary>
    NotMeasured,

    Missed,

    /// <summary>What had to be shown is shown.</summary>
    Ok,

    Goal,
}
