namespace AsyncLog.Tests.Diagnostics;

public sealed class BatchHistogramsTests
{
    [Fact]
    public void Series_that_begin_while_they_are_read_disturb_no_reading()
    {
        for (var round = 0; round < 20; round++)
        {
            var histograms = new BatchHistograms();
            var begin = Task.Run(
                () =>
                {
                    for (var type = 0; type < 500; type++)
                        histograms.Record(TimeSpan.FromMilliseconds(1), 1, $"error_{type}");
                },
                TestContext.Current.CancellationToken);
            while (!begin.IsCompleted)
                Assert.DoesNotContain(histograms.Read().Skip(1), static reading => reading.Buckets.Sum() is < 0 or > 1);
            Assert.Equal(501, histograms.Read().Count);
            Assert.Equal(500, histograms.Read()[0].Buckets.Sum());
            Assert.DoesNotContain(histograms.Read().Skip(1), static reading => reading.Buckets.Sum() != 1);
        }
    }

    [Fact]
    public void A_status_has_the_duration_and_size_of_batches_by_class_of_failure()
    {
        var histograms = new BatchHistograms();
        Assert.Empty(histograms.Read());
        histograms.Record(TimeSpan.FromMilliseconds(1), 3, null);
        histograms.Record(TimeSpan.FromSeconds(20), 20_000, null);
        histograms.Record(TimeSpan.FromMilliseconds(2), 3, "timeout");

        var read = histograms.Read();

        Assert.Equal(
            ["asynclog.sink.batch.size {log_record}  3 20006", "asynclog.sink.write.duration s  2 20.001", "asynclog.sink.write.duration s timeout 1 0.002"],
            read.Select(static one => string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{one.Name} {one.Unit} {one.ErrorType} {one.Buckets.Sum()} {one.Sum}")));
        Assert.All(read, static one => Assert.Equal(one.Bounds.Count + 1, one.Buckets.Count));
        Assert.Equal((0.0001, 10, 1, 10_000), (read[1].Bounds[0], read[1].Bounds[^1], read[0].Bounds[0], read[0].Bounds[^1]));
        Assert.Equal((1, 1, 1), (read[1].Buckets[3], read[1].Buckets[^1], read[0].Buckets[^1]));
    }
}
