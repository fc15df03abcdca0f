namespace AsyncLog.Tests.Formatting;

/// <summary>Time of a zone of its own.</summary>
internal sealed class ZonedTime(TimeZoneInfo zone) : TimeProvider
{
    public ZonedTime(TimeSpan offset)
        : this(TimeZoneInfo.CreateCustomTimeZone("test", offset, "test", "test"))
    {
    }

    public override TimeZoneInfo LocalTimeZone => zone;
}
