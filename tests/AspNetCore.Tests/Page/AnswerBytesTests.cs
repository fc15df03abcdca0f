using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Page;

/// <summary>The bytes that readers of the page's addresses get: written by the first version of the page, kept since.</summary>
public sealed class AnswerBytesTests
{
    private static readonly DateTimeOffset Now = new(2026, 11, 22, 12, 31, 7, 482, TimeSpan.Zero);

    [Fact]
    public void The_JSON_of_the_page_keeps_its_members_order_and_bytes()
    {
        var status = new AsyncLogStatus { CapturedAt = Now, QueueBytes = 12345, Instances = [Full(), Plain()], UnknownKeys = ["Logging:AsyncFile:Pfad", "ä\"<b>"], ObjectsFailed = 2, ObjectProblems = ["{@} writes Shop.Order."] };
        var application = new ApplicationJson("Shop", "1.2.3", "Production", "pod-1", 4711, Now.AddSeconds(-90.25)) { AsyncLogVersion = "0.1.0", Zone = TimeZoneInfo.Utc, Guide = "https://asynclog.example/operations.md" };
        Assert.Equal(Expected("status.json"), JsonSerializer.Serialize(new StatusJson(status, application), DashboardJson.Default.StatusJson));
        Assert.Equal(Expected("history.json"), JsonSerializer.Serialize(new HistoryJson(new FakeControl(status)), DashboardJson.Default.HistoryJson));
    }

    private static string Expected(string name)
    {
        using var reader = new StreamReader(typeof(AnswerBytesTests).Assembly.GetManifestResourceStream(name)!, Encoding.UTF8);
        return reader.ReadToEnd().TrimEnd();
    }

    private static SinkStatus Full() => new()
    {
        Name = "file/errors",
        Type = "file",
        Target = "/srv/lögs/a.log",
        ServerAddress = "logs.example",
        ServerPort = 514,
        State = SinkState.Degraded,
        Reason = "no_space",
        ReasonSince = Now.AddSeconds(-90),
        TroubleEndedAt = Now.AddSeconds(-5),
        HealthyAt = Now.AddSeconds(55),
        QueueSize = 7,
        QueueCapacity = 100_000,
        QueueBytes = 900,
        QueueBytesLimit = 16 << 20,
        OldestAge = TimeSpan.FromMilliseconds(1234.5678),
        InFlight = 3,
        TimeWithoutDelivery = TimeSpan.FromSeconds(2.5),
        EnqueuedByLevel = new Dictionary<LogLevel, long> { [LogLevel.Trace] = 0, [LogLevel.Debug] = 1, [LogLevel.Information] = 2, [LogLevel.Warning] = 3, [LogLevel.Error] = 4, [LogLevel.Critical] = 5 },
        Written = 4,
        Uncertain = 1,
        Unacknowledged = 13,
        Drops = [new DropCount(DropReason.QueueFull, LogLevel.Information, 6), new DropCount(DropReason.Rejected, LogLevel.Critical, 1)],
        RecentDrops = [new DropCount(DropReason.Rejected, LogLevel.Critical, 1)],
        Truncated = 8,
        PropertiesLeftOut = 9,
        RenderErrors = 10,
        OutputBytes = 11,
        Batches = 12,
        WriteTime = TimeSpan.FromMicroseconds(1234.5),
        Errors = new Dictionary<string, long> { ["no_space"] = 3, ["Io"] = 1 },
        Retries = 2,
        CallerWait = TimeSpan.FromMilliseconds(12.5),
        LastSuccess = Now.AddMilliseconds(-1.5),
        LastError = new SinkError("no_space", "No space left on device <x>", Now),
        ConfigurationProblem = "Path 'x'",
        EffectiveLevels = new Dictionary<string, EffectiveLevel> { ["Shop"] = new(LogLevel.Warning, "Logging:LogLevel:Default"), ["Bar"] = new(LogLevel.None, "code") },
        Rates = Rates(),
        Histograms =
        [
            Histogram("asynclog.sink.batch.size", null, [1, 2, 5], [1, 0, 2, 1], 20006),
            Histogram("asynclog.sink.write.duration", null, [0.1, 0.2, 0.5], [10, 10, 0, 1], 3.25),
            Histogram("asynclog.sink.write.duration", "no_space", [0.1, 0.2, 0.5], [0, 0, 3, 0], 1.0001),
        ],
        Measurements =
        [
            new SinkMeasurement { Name = "asynclog.file.rolled", Kind = SinkInstrumentKind.Counter, Unit = "{file}", Description = "Files.", Tags = [new("asynclog.file.reason", "size"), new("b", "c")], Value = 3 },
            new SinkMeasurement { Name = "asynclog.file.size", Kind = SinkInstrumentKind.Gauge, Unit = "By", Description = "Size.", Value = 77 },
        ],
    };

    private static SinkRates Rates() => new() { EnqueuedPerSecond = 1.234, WrittenPerSecond = 5.678, OutputBytesPerSecond = 1e9, MeanWriteTime = TimeSpan.FromMicroseconds(345.6789) };

    private static SinkHistogram Histogram(string name, string? errorType, double[] bounds, long[] buckets, double sum)
        => new() { Name = name, Unit = "", Description = "", ErrorType = errorType, Bounds = bounds, Buckets = buckets, Sum = sum };

    private static SinkStatus Plain() => new()
    {
        Name = "otlp/default",
        Type = "otlp",
        Target = "",
        State = SinkState.Healthy,
        ReasonSince = Now,
        QueueSize = 0,
        QueueCapacity = 0,
        QueueBytes = 0,
        QueueBytesLimit = 0,
        OldestAge = default,
        InFlight = 0,
        EnqueuedByLevel = new Dictionary<LogLevel, long>(),
        Written = 0,
        Drops = [],
        Truncated = 0,
        PropertiesLeftOut = 0,
        RenderErrors = 0,
        OutputBytes = 0,
        Errors = new Dictionary<string, long>(),
        Retries = 0,
        CallerWait = default,
        EffectiveLevels = new Dictionary<string, EffectiveLevel>(),
    };

    private sealed class FakeControl(AsyncLogStatus status) : IAsyncLogControl
    {
        public Task<bool> FlushAsync(TimeSpan? timeout = null, CancellationToken cancellationToken = default) => throw new NotSupportedException();

        public AsyncLogStatus GetStatus() => status;

        public IReadOnlyList<SinkSample> GetHistory(string instance) => instance == "file/errors" ? [new SinkSample { At = Now, QueueSize = 1, InFlight = 2, QueueBytes = 2, OldestAge = TimeSpan.FromSeconds(3), Enqueued = 4, Written = 5, Dropped = 6, OutputBytes = 7, Batches = 8, WriteTime = TimeSpan.FromMicroseconds(9.5) }, new SinkSample { At = Now.AddSeconds(1), QueueSize = 10, InFlight = 20, QueueBytes = 20, OldestAge = TimeSpan.FromSeconds(30), Enqueued = 40, Written = 50, Dropped = 60, OutputBytes = 70, Batches = 80, WriteTime = TimeSpan.FromMicroseconds(90) }] : [];

        public IReadOnlyList<DropCount> GetDrops(string instance, TimeSpan time) => [];
    }
}
