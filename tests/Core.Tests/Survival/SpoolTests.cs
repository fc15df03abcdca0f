using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using AsyncLog.Tests.Delivery;

namespace AsyncLog.Tests.Survival;

public sealed class SpoolTests
{
    private const int SegmentBytes = 64 << 10;
    private readonly FakeTimeProvider _clock = new();
    private readonly MemoryDisk _disk = new();
    private readonly TestSink _sink = new();

    // As long as one of sixteen records of a segment.
    private static readonly string Filler = new('x', 4000);

    [Fact]
    public async Task SP_3_Records_go_to_the_disk_when_memory_is_short_and_nothing_was_delivered_for_a_second()
    {
        using var process = Start();
        Break();
        await process.Log(400);
        Assert.InRange(process.Status.Spooled, 250, 400);
        process.AssertBooks(400);
        Mend();
        await process.AdvanceUntil(() => process.Status.Written == 400);
        Assert.Equal(Enumerable.Range(0, 400), process.Received());
        Assert.Empty(Segments(_disk));
        process.AssertBooks(400);
    }

    [Fact]
    public async Task SP_4_The_next_process_sends_what_is_on_the_disk_first()
    {
        using (var first = Start())
        {
            Break();
            await first.Log(400);
        }

        var next = _disk.Restart();
        var sink = new TestSink();
        using var second = new Process(next, sink, _clock);
        Assert.Equal(400, second.Status.Enqueued);
        await second.Log(10, from: 400);
        await second.AdvanceUntil(() => second.Status.Written == 410);
        Assert.Equal(Enumerable.Range(0, 410), second.Received());
        second.AssertBooks(410);
    }

    private Process Start(Action<TestOptions>? configure = null) => new(_disk, _sink, _clock, configure);

    private void Break() => _sink.Before = static _ => throw new LogSinkException("refused", "nobody listens");

    private void Mend() => _sink.Before = null;

    private static List<string> Segments(MemoryDisk disk) => [.. disk.Files.Keys.Where(static path => path.EndsWith(".seg", StringComparison.Ordinal))];

    // A process with a spool: four segments of memory for each sixteen records of 4 KB, and a clock that moves when the test waits.
    private sealed class Process : IDisposable
    {
        private readonly TestSink _sink;
        private readonly FakeTimeProvider _clock;
        private readonly TestPipeline _pipeline;

        public Process(MemoryDisk disk, TestSink sink, FakeTimeProvider clock, Action<TestOptions>? configure = null)
        {
            _sink = sink;
            _clock = clock;
            _pipeline = new TestPipeline(
                sink,
                options =>
                {
                    options.SpoolPath = "/spool";
                    options.MaxQueueMemory = 8 * SegmentBytes;
                    options.ShutdownTimeout = TimeSpan.Zero;
                    configure?.Invoke(options);
                },
                clock,
                type: new TestDefinition<TestOptions>("test", (_, _) => sink) { Wire = static _ => "lines", Retry = new Backoff(TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(100)) },
                services: services => services.AddSingleton<ISpoolFiles>(disk));
        }

        public SinkStatus Status => _pipeline.Status;

        public string Said => _pipeline.Said;

        // As fast as the spool takes them.
        public async Task Log(int records, int from = 0)
        {
            for (var number = from; number < from + records; number++)
            {
                if (Status.QueueFill >= 0.8)
                    await AdvanceUntil(() => Status.QueueFill < 0.8);
                _pipeline.Logger.Log(number % 10 == 0 ? LogLevel.Warning : LogLevel.Information, "{Number} {Filler}", number, Filler);
            }
        }

        public IEnumerable<int> Received() => _sink.Records.Select(static line => int.Parse(line.Split(' ')[0], System.Globalization.CultureInfo.InvariantCulture));

        public Task AdvanceUntil(Func<bool> condition) => Eventually.Holds(
            () =>
            {
                _clock.Advance(TimeSpan.FromMilliseconds(50));
                return condition();
            },
            () => $"{Status} {Said}");

        public void AssertBooks(long offered)
        {
            var status = Status;
            Assert.Equal(offered, status.Offered);
            Assert.Equal(status.Enqueued, status.Written + status.DroppedAfter + status.QueueSize + status.InFlight + status.Spooled);
        }

        public void Dispose() => _pipeline.Dispose();
    }
}
