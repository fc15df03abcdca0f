using System.Globalization;
using AsyncLog.Tests.Hosting;
using AsyncLog.Tests.Survival;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

/// <summary>One run for each place where records pass from one owner to the next. Runs with the product as it is, and with one in which a fault was planted there.</summary>
internal static class HandOver
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    // As long as one of sixteen records of a segment.
    private static readonly string Filler = new('x', 4000);

    /// <summary>Logs, lets the records pass the place, and looks at the counters one second later.</summary>
    /// <returns>What the product says is unaccounted for; what is missing by the number of records that were logged here; the result of the flush, where there is one;
    /// the lines on stderr.</returns>
    public static (long Unaccounted, long Missing, bool? Flushed, string Said) Run(string place) => place switch
    {
        "take" or "settle" => Deliver(),
        "eviction" => Evict(),
        "abandonment" => Abandon(),
        "replacement" => Replace(),
        "spool" => Spool(isReplayed: false),
        "replay" => Spool(isReplayed: true),
        "save" => Save(),
        "recovery" => Recover(),
        _ => throw new ArgumentException(place),
    };

    private static (long, long, bool?, string) Deliver()
    {
        var clock = new FakeTimeProvider();
        using var pipeline = new TestPipeline(new TestSink(), timeProvider: clock);
        Log(pipeline.Logger, 100);
        var flush = pipeline.Flush();
        Eventually.True(() => flush.IsCompleted, () => clock.Advance(TimeSpan.FromMilliseconds(10)));
        return Look(pipeline, clock, 100, flush.Result);
    }

    private static (long, long, bool?, string) Evict()
    {
        var clock = new FakeTimeProvider();
        using var gate = new ManualResetEventSlim();
        using var pipeline = new TestPipeline(
            new TestSink { Before = _ => gate.Wait() },
            static options => (options.QueueFullMode, options.MaxQueueMemory) = (QueueFullMode.DropOldest, 256 << 10), clock);
        Log(pipeline.Logger, 500, Filler);
        gate.Set();
        var flush = pipeline.Flush();
        Eventually.True(() => flush.IsCompleted, () => clock.Advance(TimeSpan.FromMilliseconds(10)));
        return Look(pipeline, clock, 500, flush: null);
    }

    private static (long, long, bool?, string) Abandon()
    {
        var clock = new FakeTimeProvider();
        using var gate = new ManualResetEventSlim();
        var pipeline = new TestPipeline(new TestSink { Before = _ => gate.Wait() }, static options => options.ShutdownTimeout = TimeSpan.Zero, clock);
        Log(pipeline.Logger, 100, Filler);
        // The last sample is that of the shutdown.
        pipeline.Dispose();
        var looked = Look(pipeline, clock, 100, flush: null);
        gate.Set();
        return looked;
    }

    private static (long, long, bool?, string) Replace()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new ReloadPipeline(sink => sink.Before = sink.Destination == "a" ? (_, _) => gate.Wait(CancellationToken.None) : null, ("ShutdownTimeout", "10ms"));
        Log(pipeline.Logger, 100);
        Eventually.True(() => pipeline.Status.InFlight > 0);
        pipeline.Edit(("Destination", "b"));
        Eventually.True(() => pipeline.Status.InFlight + pipeline.Status.QueueSize == 0);
        var status = pipeline.Status;
        Eventually.True(() => status.Unaccounted == 0 || pipeline.Said.Contains("unaccounted", StringComparison.Ordinal));
        gate.Set();
        return (status.Unaccounted, 100 - status.Written - status.Dropped, null, pipeline.Said);
    }

    private static (long, long, bool?, string) Spool(bool isReplayed)
    {
        var (clock, disk, sink) = (new FakeTimeProvider(), new MemoryDisk(), new TestSink { Before = static _ => throw new LogSinkException("refused", "nobody listens") });
        using var pipeline = Spooling(sink, disk, clock);
        Log(pipeline.Logger, 120, Filler);
        Eventually.True(() => disk.Files.Keys.Any(static path => path.EndsWith(".seg", StringComparison.Ordinal)), () => clock.Advance(TimeSpan.FromMilliseconds(50)));
        if (isReplayed)
        {
            sink.Before = null;
            Eventually.True(() => pipeline.Status is { QueueSize: 0, InFlight: 0, Spooled: 0 }, () => clock.Advance(TimeSpan.FromMilliseconds(50)));
        }

        return Look(pipeline, clock, 120, flush: null);
    }

    private static (long, long, bool?, string) Save()
    {
        var clock = new FakeTimeProvider();
        var pipeline = Spooling(new TestSink { Before = static _ => throw new LogSinkException("refused", "nobody listens") }, new MemoryDisk(), clock);
        Log(pipeline.Logger, 40, Filler);
        pipeline.Dispose();
        return Look(pipeline, clock, 40, flush: null);
    }

    private static (long, long, bool?, string) Recover()
    {
        var clock = new FakeTimeProvider();
        var files = new MemoryCrashFiles();
        using var killed = Surviving(new TestSink { Before = static _ => throw new LogSinkException("refused", "nobody listens") }, files, clock);
        Log(killed.Logger, 40);
        using var next = Surviving(new TestSink(), files.Restart(), clock);
        Eventually.True(() => next.Status is { QueueSize: 0, InFlight: 0 }, () => clock.Advance(TimeSpan.FromMilliseconds(50)));
        return Look(next, clock, 40, flush: null);
    }

    private static TestPipeline Spooling(TestSink sink, MemoryDisk disk, FakeTimeProvider clock) => new(
        sink,
        static options => (options.SpoolPath, options.MaxQueueMemory, options.ShutdownTimeout) = ("/spool", 512 << 10, TimeSpan.Zero),
        clock,
        type: Lines(sink),
        services: services => services.AddSingleton<ISpoolFiles>(disk));

    private static TestPipeline Surviving(TestSink sink, MemoryCrashFiles files, FakeTimeProvider clock) => new(
        sink,
        static options => (options.CrashBuffer, options.MaxQueueMemory, options.ShutdownTimeout) = (true, 512 << 10, TimeSpan.Zero),
        clock,
        static options => options.CrashBufferPath = "/crash",
        Lines(sink),
        services: services => services.AddSingleton<ICrashFiles>(files));

    private static TestDefinition<TestOptions> Lines(TestSink sink)
        => new("test", (_, _) => sink) { Wire = static _ => "lines", Retry = new Backoff(TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(100)) };

    private static void Log(ILogger logger, int count, string filler = "")
    {
        for (var number = 0; number < count; number++)
            logger.LogWarning("{Number} {Filler}", number.ToString(CultureInfo.InvariantCulture), filler);
    }

    private static (long, long, bool?, string) Look(TestPipeline pipeline, FakeTimeProvider clock, int logged, bool? flush)
    {
        clock.Advance(Second);
        var status = pipeline.Status;
        return (status.Unaccounted, logged - status.Written - status.Dropped - status.QueueSize - status.InFlight - status.Spooled, flush, pipeline.Said);
    }
}
