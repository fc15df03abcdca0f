namespace AsyncLog.Tests;

/// <summary>The law of the counters.</summary>
internal static class Counters
{
    /// <summary>What is wrong with a snapshot, at any moment; null: it adds up. Each accepted record has an outcome or is somewhere, and the product's
    /// second count, that of accepted records alone, says the same.</summary>
    public static string? FaultOf(SinkStatus status)
        => status.Enqueued == status.Written + status.DroppedAfterAcceptance + status.QueueSize + status.InFlight + status.Spooled && status.Unaccounted == 0 ? null
            : FormattableString.Invariant($"counters: {status.Enqueued} enqueued, {status.Written} written, {status.DroppedAfterAcceptance} dropped after, ")
            + FormattableString.Invariant($"{status.QueueSize} waiting, {status.InFlight} in flight, ")
            + FormattableString.Invariant($"{status.Spooled} spooled, {status.Unaccounted} unaccounted for");

    /// <summary>The counters add up, and begin with the number of the test.</summary>
    /// <param name="status">The status.</param>
    /// <param name="offered">The records that passed the levels of the instance, as the test counted them: never a number of the product.</param>
    public static SinkStatus AssertAddUp(SinkStatus status, long offered)
    {
        Assert.Equal(offered, status.Offered);
        Assert.Null(FaultOf(status));
        return status;
    }
}
