namespace AsyncLog;

/// <summary>The meter of AsyncLog, for OpenTelemetry's <c>AddMeter</c>, <c>dotnet-counters</c> and listeners.</summary>
public static class AsyncLogMeter
{
    /// <summary>The name of the meter.</summary>
    public const string Name = "AsyncLog";
}
