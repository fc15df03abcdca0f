using FsCheck;
using FsCheck.Fluent;

namespace AsyncLog.Tests.Measuring;

public sealed class LatencyHistogramTests
{
    private static readonly double[] Percents = [0.1, 1, 25, 50, 90, 99, 99.9, 99.99, 100];

    [Fact]
    public void Histograms_of_several_threads_add_up()
    {
        var all = new LatencyHistogram();
        var other = new LatencyHistogram();
        all.Record(10);
        other.Record(50);
        other.Record(20);
        all.Add(other);

        Assert.Equal((3L, 50L, 20L), (all.Count, all.Maximum, all.Percentile(50)));
    }

    [Fact]
    public void Percentiles_equal_those_of_a_sorted_list_to_a_sixty_fourth()
        => Prop.ForAll(Times(), static times => Percents.All(percent => IsNear(times, percent))).QuickCheckThrowOnFailure();

    [Fact]
    public void Times_below_128_ns_are_exact()
    {
        var histogram = new LatencyHistogram();
        for (var time = 0; time < 128; time++)
            histogram.Record(time);

        Assert.Equal(63, histogram.Percentile(50));
        Assert.Equal(126, histogram.Percentile(99));
        Assert.Equal(127, histogram.Percentile(100));
    }

    [Fact]
    public void Buckets_follow_each_other_without_a_gap()
    {
        // 128 of one nanosecond each, then 64 for each power of two.
        const int ofHours = 128 + (33 * 64);
        Assert.Equal(ofHours, LatencyHistogram.BucketOf(1L << 40));
        for (var bucket = 1; bucket < ofHours; bucket++)
        {
            Assert.Equal(bucket, LatencyHistogram.BucketOf(LatencyHistogram.EndOf(bucket)));
            Assert.Equal(bucket, LatencyHistogram.BucketOf(LatencyHistogram.EndOf(bucket - 1) + 1));
        }
    }

    [Fact]
    public void The_longest_time_is_exact_and_no_percentile_is_above_it()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(1_000_003);

        Assert.Equal(1_000_003, histogram.Maximum);
        Assert.Equal(1_000_003, histogram.Percentile(99.9));
    }

    [Fact]
    public void Any_time_a_long_can_hold_is_recorded()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(long.MaxValue);
        histogram.Record(-5);

        Assert.Equal(2, histogram.Count);
        Assert.Equal(0, histogram.Percentile(50));
        Assert.Equal(long.MaxValue, histogram.Percentile(100));
    }

    [Fact]
    public void Recording_allocates_nothing()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(1);
        List<long> allocated = [];

        // A collection for another test charges the thread the rest of its allocation block: one round without that shows what recording takes.
        while (allocated.Count < 20 && !allocated.Contains(0))
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var time = 0; time < 10_000; time++)
                histogram.Record(time * 37L);
            allocated.Add(GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Contains(0, allocated);
    }

    // nanoseconds to hours, as latencies are spread: by powers of two
    private static Arbitrary<long[]> Times() => Gen.Choose(0, 42)
        .SelectMany(static power => Gen.Choose(0, int.MaxValue).Select(part => (long)(part / (double)int.MaxValue * (1L << power))))
        .NonEmptyListOf()
        .Select(static times => times.ToArray())
        .ToArbitrary();

    private static bool IsNear(long[] times, double percent)
    {
        var histogram = new LatencyHistogram();
        foreach (var time in times)
            histogram.Record(time);
        var sorted = times.Order().ToArray();
        var exact = sorted[Math.Max(1, (int)Math.Ceiling(percent / 100 * sorted.Length)) - 1];
        var found = histogram.Percentile(percent);
        return found >= exact && found - exact <= exact / 64.0;
    }
}
