namespace AsyncLog.Tests.Diagnostics;

public sealed class FileMeterTests
{
    // Renaming anything here breaks somebody's dashboard: it is a breaking change.
    private static readonly string[] Published =
    [
        "asynclog.file.deleted Counter {file}",
        "asynclog.file.filesystem.available Gauge By",
        "asynclog.file.filesystem.minimum Gauge By",
        "asynclog.file.reopened Counter {file}",
        "asynclog.file.retained.count UpDownCounter {file}",
        "asynclog.file.retained.size UpDownCounter By",
        "asynclog.file.rolled Counter {file}",
        "asynclog.file.size UpDownCounter By",
    ];

    [Fact]
    public void Names_kinds_units_and_reasons_are_a_promise()
    {
        using var harness = new SinkHarness();
        harness.Write("one");
        Assert.Equal(Published, harness.Context.Instruments.Values.Select(static made => $"{made.Name} {made.Kind} {made.Unit}").Order(StringComparer.Ordinal));
        Assert.Equal(["interval", "size", "startup", "configuration", "request", "suspect"], ReasonsOf(harness, "asynclog.file.rolled"));
        Assert.Equal(["moved", "deleted", "error", "signal"], ReasonsOf(harness, "asynclog.file.reopened"));
        Assert.Equal(["count", "age", "total_size"], ReasonsOf(harness, "asynclog.file.deleted"));
    }

    [Fact]
    public void The_whole_set_is_measured_the_active_file_included()
    {
        using var harness = new SinkHarness(static options =>
        {
            options.FileSizeLimit = 4096;
            options.RetainedFileCountLimit = 3;
        });
        for (int i = 0; i < 5; i++)
            harness.Write(new string('x', 3999));
        Assert.Equal(4000, harness.Counters.ActiveSize);
        Assert.Equal((3, 12_000), (harness.Counters.RetainedCount, harness.Counters.RetainedSize));
        Assert.Equal(2, harness.Counters.Deleted[DeletionReason.Count]);
        harness.Write("more");
        Assert.Equal((4005, 3, 12_005), (harness.Counters.ActiveSize, harness.Counters.RetainedCount, harness.Counters.RetainedSize));
    }

    [Fact]
    public void A_successor_goes_on_with_the_totals()
    {
        using var harness = new SinkHarness(static options => options.FileSizeLimit = 4096);
        harness.Write(new string('x', 3999));
        harness.Write(new string('x', 3999));
        Assert.Equal(1, harness.Counters.Rolled[RollReason.Size]);
        harness.Restart();
        harness.Write(new string('x', 3999));
        Assert.Equal(2, harness.Counters.Rolled[RollReason.Size]);
    }

    private static IEnumerable<string> ReasonsOf(SinkHarness harness, string name) => harness.Context.Instruments[name].Measure().Select(static measurement =>
    {
        var tag = Assert.Single(measurement.Tags);
        Assert.Equal("asynclog.file.reason", tag.Key);
        return tag.Value;
    });
}
