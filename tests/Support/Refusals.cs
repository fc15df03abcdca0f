namespace AsyncLog.Tests;

/// <summary>What a sink has refused of a batch for good.</summary>
internal static class Refusals
{
    /// <summary>The reasons, each with its records.</summary>
    public static (DropReason Reason, long Records)[] Of(LogBatch batch)
        => [.. Enum.GetValues<DropReason>().Select(reason => (reason, batch.Refused.Of(reason))).Where(static refused => refused.Item2 > 0)];
}
