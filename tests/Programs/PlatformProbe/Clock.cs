namespace AsyncLog.PlatformProbe;

/// <summary>The clock of the system, which a check can advance.</summary>
internal sealed class Clock : TimeProvider
{
    public TimeSpan Offset { get; set; }

    public override DateTimeOffset GetUtcNow() => System.GetUtcNow() + Offset;
}
