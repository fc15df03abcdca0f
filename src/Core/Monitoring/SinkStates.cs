namespace AsyncLog;

/// <summary>The states in the words of metrics, events and health.</summary>
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
