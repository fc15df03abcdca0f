namespace AsyncLog;

/// <summary>How long the worker naps. Pure.</summary>
internal static class NapTime
{
    /// <summary>A shorter nap costs 4 % of a core per instance.</summary>
    public static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    /// <summary>What a record waits at most before it is written.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(10);

    /// <summary>Silence after which the worker waits without end.</summary>
    public static readonly TimeSpan ParkAfter = TimeSpan.FromSeconds(1);

    /// <summary>Half the time a segment takes to fill at the rate it was filled with.</summary>
    /// <param name="open">How long it was open.</param>
    /// <param name="used">Bytes in it.</param>
    /// <param name="capacity">Bytes it holds.</param>
    public static TimeSpan For(TimeSpan open, int used, int capacity)
    {
        if (used <= 0)
            return Longest;
        var half = open.Ticks * (double)capacity / used / 2;
        return half >= Longest.Ticks ? Longest : half <= Shortest.Ticks ? Shortest : TimeSpan.FromTicks((long)half);
    }
}
