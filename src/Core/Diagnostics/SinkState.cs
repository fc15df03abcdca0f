namespace AsyncLog;

/// <summary>The state of an instance.</summary>
public enum SinkState
{
    /// <summary>Delivers.</summary>
    Healthy,

    /// <summary>Losing, retrying, without an answer for 5 s, or near full: expected to recover by itself.</summary>
    Degraded,

    /// <summary>A permanent cause, or no delivery for 60 s while records wait or are refused.</summary>
    Failed,

    /// <summary>Disposed or switched off.</summary>
    Stopped,
}

/// <summary>Names of the states in metrics, events and health.</summary>
internal static class SinkStates
{
    public static string NameOf(SinkState state) => state switch
    {
        SinkState.Healthy => "healthy",
        SinkState.Degraded => "degraded",
        SinkState.Failed => "failed",
        _ => "stopped",
    };
}
