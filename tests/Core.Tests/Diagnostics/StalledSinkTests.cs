using System.Globalization;
using System.Text.RegularExpressions;
using AsyncLog.Tests.Monitoring;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Diagnostics;

public sealed partial class StalledSinkTests
{
    private const int Offered = 5000;

    [Fact]
    public async Task After_a_stall_everybody_tells_the_same_loss_to_the_record()
    {
        using var pipeline = new WatchedPipeline(configure: static options => options.MaxQueueLength = 300);
        using var reading = new MeterReading(pipeline.Name);
        using var events = new EventReading(pipeline.Name);
        pipeline.Stall();
        var flush = pipeline.Offer(1);
        Eventually.True(() => pipeline.Sink.Calls == 1);
        for (var i = 1; i < Offered; i++)
            pipeline.Logger.LogInformation("record");
        Eventually.True(() => events.Of("DropsStarted").Any());
        Assert.Equal(HealthStatus.Degraded, (await pipeline.CheckHealth()).Status);
        pipeline.Release();
        Assert.True(await flush);

        // At rest: the notice is written, the episodes are over, nothing waits.
        Eventually.True(() => pipeline.Status is { QueueSize: 0, InFlight: 0 } && pipeline.Sink.Records.Any(IsNotice)
            && events.Of("DropsEnded").Count() == events.Of("DropsStarted").Count());
        var status = pipeline.Status;
        var lost = Offered - pipeline.Sink.Records.Count(static record => !IsNotice(record));
        // One record is in the sink's hands, and at most 300 wait.
        Assert.InRange(lost, Offered - 301, Offered - 1);
        Assert.Equal(Offered, status.Offered);
        Assert.Equal(lost, status.Dropped);
        Assert.Equal(Offered - lost, status.Written);
        Assert.Equal(lost, pipeline.Sink.Records.Where(IsNotice).Sum(CountOf));
        Assert.Equal(lost, events.Of("DropsEnded").Sum(static told => (long)told[2]!));
        Assert.Equal(lost, status.RecentDrops.Sum(static drop => drop.Count));
        Assert.Equal(lost, pipeline.Control.GetHistory(pipeline.Name)[^1].Dropped);
        var read = reading.Read();
        Assert.Equal(lost, read.Where(static value => value.Key.StartsWith("asynclog.sink.dropped{", StringComparison.Ordinal)).Sum(static value => value.Value));
        Assert.Equal(lost, read["asynclog.sink.dropped{error.type=queue_full,asynclog.log.level=Information}"]);
        Assert.Equal(Offered - lost, read["asynclog.sink.written"]);
        var data = (IReadOnlyDictionary<string, object?>)(await pipeline.CheckHealth()).Data[pipeline.Name];
        Assert.Equal(new Dictionary<string, long> { ["queue_full"] = lost }, data["dropped"]);
        Assert.Equal(new Dictionary<string, long> { ["queue_full"] = lost }, data["dropsInWindow"]);
        Assert.All(events.Of("DropsEnded"), static told => Assert.Equal("queue_full", told[1]));
        Assert.Contains(events.Of("QueueHighWater"), static told => (int)told[1]! >= 80);
    }

    [Fact]
    public void What_is_lost_at_the_very_end_is_told_as_well()
    {
        var pipeline = new WatchedPipeline(configure: static options => options.ShutdownTimeout = TimeSpan.FromMilliseconds(50));
        using var events = new EventReading(pipeline.Name);
        pipeline.Stall();
        _ = pipeline.Offer(10);
        Eventually.True(() => pipeline.Sink.Calls == 1);
        pipeline.End();
        Assert.Equal([pipeline.Name, 10L], events.Of("ShutdownTimedOut").Single());
        var ended = events.Of("DropsEnded").Single();
        Assert.Equal(("shutdown_timeout", 10L), (ended[1], ended[2]));
        Assert.Equal(10, pipeline.Status.Dropped);
        pipeline.Dispose();
    }

    private static bool IsNotice(string record) => Notice.IsMatch(record);

    private static long CountOf(string record) => long.Parse(Notice.Match(record).Groups[1].ValueSpan, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^(\d+) records dropped .* \(queue_full\): Information \1$", RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Notice { get; }
}
