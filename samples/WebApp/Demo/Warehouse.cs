using AsyncLog.Sinks;

namespace WebApp;

/// <summary>A far destination of log records that a visitor can bring to a stand or make refuse.</summary>
internal sealed class Warehouse(TimeProvider time)
{
    private long _stalledUntil;
    private long _closedUntil;
    private long _slowUntil;

    /// <summary>The local time from which it takes everything again.</summary>
    public DateTimeOffset OpenAt
        => TimeZoneInfo.ConvertTime(new DateTimeOffset(Math.Max(Volatile.Read(ref _slowUntil), Math.Max(Volatile.Read(ref _stalledUntil), Volatile.Read(ref _closedUntil))), TimeSpan.Zero), time.LocalTimeZone);

    /// <summary>Every write takes half a second for so long.</summary>
    public void SlowDown(TimeSpan duration) => Volatile.Write(ref _slowUntil, (time.GetUtcNow() + duration).UtcTicks);

    /// <summary>Every write hangs for so long.</summary>
    public void Stall(TimeSpan duration) => Volatile.Write(ref _stalledUntil, (time.GetUtcNow() + duration).UtcTicks);

    /// <summary>Every write is refused for so long.</summary>
    public void Close(TimeSpan duration) => Volatile.Write(ref _closedUntil, (time.GetUtcNow() + duration).UtcTicks);

    public async Task ReceiveAsync(CancellationToken cancellationToken)
    {
        if (Left(ref _slowUntil) > TimeSpan.Zero)
            await Task.Delay(TimeSpan.FromMilliseconds(500), time, cancellationToken);
        while (Left(ref _stalledUntil) > TimeSpan.Zero)
            await Task.Delay(TimeSpan.FromMilliseconds(100), time, cancellationToken);
        if (Left(ref _closedUntil) > TimeSpan.Zero)
            throw new LogSinkException("permission", "the warehouse is closed", isPermanent: true);
    }

    private TimeSpan Left(ref long until) => new(Volatile.Read(ref until) - time.GetUtcNow().UtcTicks);
}
