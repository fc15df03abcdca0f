namespace AsyncLog.Tests.Support;

/// <summary>What the victim says of one instance.</summary>
internal sealed record VictimStatus(
    string State, string? Reason, string Target, long Offered, long Enqueued, long Written, long Waiting, long Unaccounted,
    Dictionary<string, long> Dropped, Dictionary<string, long> Errors)
{
    /// <summary>The counters add up, and begin with the number of records that the test told the victim to log.</summary>
    public void AssertCountersAddUp(long offered)
    {
        Assert.Equal(offered, Offered);
        Assert.Equal(offered, Written + Waiting + Dropped.Values.Sum());
        Assert.Equal(0, Unaccounted);
    }

    public long Sum(params ReadOnlySpan<string> reasons)
    {
        var sum = 0L;
        foreach (var reason in reasons)
            sum += Dropped.GetValueOrDefault(reason);
        return sum;
    }

    public override string ToString() => $"{State} ({Reason}), {Written} of {Enqueued} written to {Target}, errors {string.Join(", ", Errors)}, dropped {string.Join(", ", Dropped)}";
}
