using System.Globalization;

namespace AsyncLog.Tests;

/// <summary>One round: drawn from a seed, so that a finding can be run again.</summary>
internal sealed record StressPlan(
    int Seed,
    int Threads,
    QueueFullMode FullMode,
    int MaxQueueLength,
    long MaxQueueMemory,
    int MaxRecordSize,
    SinkMood Mood,
    bool DisposeUnderLoad)
{
    private static readonly int[] ThreadCounts = [1, 2, 8, 64];
    private static readonly int[] Lengths = [1, 2, 64, 10_000, 100_000];
    private static readonly int[] Sizes = [1 << 10, 4 << 10, 64 << 10];

    public static StressPlan Draw(int seed)
    {
        var random = new Random(seed);
        var size = Pick(random, Sizes);
        var smallest = Math.Max(256L << 10, 4L * size);
        return new StressPlan(
            seed,
            Pick(random, ThreadCounts),
            Pick(random, Enum.GetValues<QueueFullMode>()),
            Pick(random, Lengths),
            random.Next(2) == 0 ? smallest : 16L << 20,
            size,
            Pick(random, Enum.GetValues<SinkMood>()),
            random.Next(4) == 0);
    }

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"seed {Seed}: {Threads} threads, {FullMode}, {MaxQueueLength} records, {MaxQueueMemory >> 10} KB, record {MaxRecordSize >> 10} KB, sink {Mood}{(DisposeUnderLoad ? ", disposed under load" : "")}");

    private static T Pick<T>(Random random, T[] values) => values[random.Next(values.Length)];
}
