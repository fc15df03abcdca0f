namespace AsyncLog.Tests.Support;

/// <summary>What the victim says of one instance.</summary>
internal sealed record VictimStatus(
    string State, string? Reason, string Target, long Offered, long Enqueued, long Written, long Waiting, Dictionary<string, long> Dropped, Dictionary<string, long> Errors)
{
    /// <summary>The law of conservation; the reasons name the side they belong to.</summary>
    public void AssertCountersAddUp()
    {
        var before = Sum("QueueFull", "QueueMemory", "AlreadyShutdown", "Reentrant", "RenderFailed");
        Assert.Equal(Offered, Enqueued + before);
        Assert.Equal(Enqueued, Written + Waiting + Dropped.Values.Sum() - before);
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
