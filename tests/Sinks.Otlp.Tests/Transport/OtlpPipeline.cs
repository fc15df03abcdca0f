using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>The whole sink, formatter and books included, against a stub.</summary>
internal sealed class OtlpPipeline : IDisposable
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(100);
    private readonly ServiceProvider _services;
    private readonly HashSet<LogSinkException> _seen = [];

    public OtlpPipeline(
        StubCollector collector, AnswerScript script, Action<AsyncOtlpOptions>? configure = null, TimeProvider? time = null, bool withStartupLine = false)
    {
        Script = script;
        TimeProvider clock = time ?? new FakeTimeProvider();
        Time = clock as FakeTimeProvider ?? new FakeTimeProvider();
        var services = new ServiceCollection();
        services.AddSingleton(clock);
        services.AddLogging(builder => builder.SetMinimumLevel(LogLevel.Trace).AddSink<AsyncOtlpLoggerProvider, AsyncOtlpOptions>(
            AsyncOtlpSinkType.Create(CreateSink),
            options =>
            {
                options.Endpoint = collector.Address;
                options.GapNotices = false;
                configure?.Invoke(options);
            }));
        services.Configure<AsyncLogOptions>(options =>
        {
            options.StartupReport = withStartupLine;
            options.FlushOnCrash = false;
            options.SelfReport = SelfReportLevel.Off;
        });
        _services = services.BuildServiceProvider();
        Logger = _services.GetRequiredService<ILoggerFactory>().CreateLogger("C");
        Control = _services.GetRequiredService<IAsyncLogControl>();
    }

    public AnswerScript Script { get; }

    /// <summary>The clock of the sink, unless it was given the system's.</summary>
    public FakeTimeProvider Time { get; }

    public RecordingExportVoice Voice { get; } = new();

    public WatchedSink Sink { get; private set; } = null!;

    public ILogger Logger { get; }

    public IAsyncLogControl Control { get; }

    public SinkStatus Status => Control.GetStatus().Instances[0];

    /// <summary>The delays that the sink asked for, in turn.</summary>
    public IReadOnlyList<TimeSpan> Delays => [.. Sink.Thrown.Where(static thrown => thrown.RetryDelay is not null).Select(static thrown => thrown.RetryDelay!.Value)];

    /// <summary>Classes of all failures, thrown or not.</summary>
    public IEnumerable<string> Errors => [.. Sink.Thrown.Select(static thrown => thrown.ErrorType), .. Voice.Errors];

    /// <summary>Everything an operator was told.</summary>
    public IEnumerable<string> Told => [.. Sink.Thrown.Select(static thrown => thrown.Message), .. Voice.Reports.Select(static report => report.Message)];

    public long Dropped(DropReason reason) => Status.Drops.Where(drop => drop.Reason == reason).Sum(static drop => drop.Count);

    /// <summary>Logs records as one batch: the worker, which was never idle, leaves the segment open until the last one hurries it.</summary>
    public void Log(int count, int length = 0)
    {
        for (int i = 0; i < count; i++)
            Logger.Log(i == count - 1 ? LogLevel.Error : LogLevel.Information, "{Text}", FormattableString.Invariant($"r{i}").PadRight(length, '.'));
    }

    /// <summary>Lets time pass until every accepted record has its outcome.</summary>
    public SinkStatus Settle()
    {
        Eventually.True(() => Status is { QueueSize: 0, InFlight: 0 }, Pass);
        return AssertConservation();
    }

    /// <summary>Lets time pass, but never while an attempt waits for an answer that will come.</summary>
    public void Pass()
    {
        if (Sink.Thrown.FirstOrDefault(thrown => thrown.RetryDelay is not null && _seen.Add(thrown)) is { } fresh)
            Time.Advance(fresh.RetryDelay!.Value);
        else if (Script.IsStuck)
            Time.Advance(TimeSpan.FromSeconds(10));
        else if (!Script.IsRunning)
            Time.Advance(Step);
    }

    public SinkStatus AssertConservation()
    {
        SinkStatus status = Status;
        Assert.Equal(status.Enqueued, status.Written + status.DroppedAfter + status.QueueSize + status.InFlight);
        Assert.Empty(Sink.Unexpected);
        return status;
    }

    public void Dispose() => _services.Dispose();

    private WatchedSink CreateSink(AsyncOtlpOptions options, SinkContext context)
    {
        OtlpTransportSettings settings = OtlpTransportSettings.From(options);
        Voice.Next = new ContextExportVoice(context);
        context.SetTarget(settings.Target);
        context.SetServer(settings.Address.IdnHost, settings.Address.Port);
        return Sink = new WatchedSink(OtlpSinkFactory.Create(
            settings,
            new OtlpRequest(OtlpResource.Encode(OtlpResource.AttributesOf(options))),
            context.TimeProvider,
            Voice,
            (way, link) => new ScriptedHandler(Script, ExportHandler.Create(way, link, Voice))));
    }
}
