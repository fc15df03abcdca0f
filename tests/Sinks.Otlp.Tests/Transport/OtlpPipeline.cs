using System.Net;
using AsyncLog.Tests.Vectors;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>The whole sink, formatter and counters included, against a stub.</summary>
internal sealed class OtlpPipeline : IVectorTarget, IDisposable
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(100);
    private readonly ServiceProvider _services;
    private readonly OtlpSurroundings _surroundings;
    private readonly HashSet<LogSinkException> _seen = [];
    private readonly List<WatchedSink> _sinks = [];
    private readonly CallCount _calls = new();

    public OtlpPipeline(
        StubCollector collector, AnswerScript script, Action<AsyncOtlpLoggerOptions>? configure = null, TimeProvider? time = null, bool withStartupLine = false)
        : this(collector, script, configure, time, withStartupLine, new OtlpSurroundings())
    {
    }

    public OtlpPipeline(
        StubCollector collector, AnswerScript script, Action<AsyncOtlpLoggerOptions>? configure, TimeProvider? time, bool withStartupLine, OtlpSurroundings surroundings)
    {
        Script = script;
        _surroundings = surroundings;
        TimeProvider clock = time ?? new FakeTimeProvider();
        Time = (clock as VectorClock)?.Timers ?? clock as FakeTimeProvider ?? new FakeTimeProvider();
        Clock = clock as VectorClock ?? new VectorClock();
        script.Clock = Time;
        var services = new ServiceCollection();
        services.AddSingleton(clock);
        services.AddKeyedSingleton("AsyncLog.Waits", clock);
        surroundings.Services?.Invoke(services);
        services.AddLogging(builder =>
        {
            builder.SetMinimumLevel(LogLevel.Trace).AddProvider(_calls);
            SinkDefinition<AsyncOtlpLoggerOptions> type = new OtlpSinkDefinition(CreateSink);
            foreach (string name in surroundings.Instances ?? [])
                builder.AddSink<AsyncOtlpLoggerProvider, AsyncOtlpLoggerOptions>(type, name, Configure);
            if (surroundings.Instances is null)
                builder.AddSink<AsyncOtlpLoggerProvider, AsyncOtlpLoggerOptions>(type, Configure);
            else
                builder.AddSink<AsyncOtlpLoggerProvider, AsyncOtlpLoggerOptions>(type, static options => options.Main = false);
        });
        services.Configure<AsyncLogOptions>(options =>
        {
            options.StartupReport = withStartupLine;
            options.FlushOnCrash = false;
            options.SelfReportLevel = LogLevel.None;
        });
        _services = services.BuildServiceProvider();
        Factory = _services.GetRequiredService<ILoggerFactory>();
        Logger = Factory.CreateLogger("C");
        Control = _services.GetRequiredService<IAsyncLogControl>();

        void Configure(AsyncOtlpLoggerOptions options)
        {
            options.Endpoint = collector.Address;
            options.GapNotices = false;
            configure?.Invoke(options);
        }
    }

    public AnswerScript Script { get; }

    /// <summary>The clock of the sink, unless it was given the system's.</summary>
    public FakeTimeProvider Time { get; }

    public RecordedDiagnostics Diagnostics { get; } = new();

    /// <summary>The sink of the instance that was made last.</summary>
    public WatchedSink Sink => _sinks[^1];

    public IServiceProvider Services => _services;

    public ILoggerFactory Factory { get; }

    public ILogger Logger { get; }

    public VectorClock Clock { get; }

    public string DefaultCategory => "C";

    public string DefaultMessage => "m";

    public IAsyncLogControl Control { get; }

    public SinkStatus Status => Control.GetStatus().Instances[0];

    public IReadOnlyList<SinkStatus> Statuses => Control.GetStatus().Instances;

    private IEnumerable<LogSinkException> Thrown => _sinks.SelectMany(static sink => sink.Thrown);

    ILogger IVectorTarget.Logger(string category) => Factory.CreateLogger(category);

    /// <summary>Whether a batch is being written: no time has to pass for it, unless its answer is stuck.</summary>
    public bool IsWriting => _sinks.Exists(static sink => sink.IsWriting);

    /// <summary>The delays that the sink asked for, in turn.</summary>
    public IReadOnlyList<TimeSpan> Delays => [.. Thrown.Where(static thrown => thrown.RetryDelay is not null).Select(static thrown => thrown.RetryDelay!.Value)];

    /// <summary>Classes of all failures, thrown or not.</summary>
    public IEnumerable<string> Errors => [.. Sink.Thrown.Select(static thrown => thrown.ErrorType), .. Diagnostics.Errors];

    /// <summary>Everything an operator was told.</summary>
    public IEnumerable<string> Told => [.. Sink.Thrown.Select(static thrown => thrown.Message), .. Diagnostics.Reports.Select(static report => report.Message)];

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
        Eventually.True(() => Statuses.All(static status => status is { QueueSize: 0, InFlight: 0 }), Pass);
        return AssertConservation();
    }

    /// <summary>Lets time pass, but never while an attempt waits for an answer that will come.</summary>
    public void Pass()
    {
        if (Thrown.FirstOrDefault(thrown => thrown.RetryDelay is not null && _seen.Add(thrown)) is { } fresh)
            Time.Advance(fresh.RetryDelay!.Value);
        else if (Script.IsStuck)
            Time.Advance(TimeSpan.FromSeconds(10));
        else if (!IsWriting)
            Time.Advance(Step);
    }

    /// <summary>The counters of each instance add up, and begin with the calls that were made.</summary>
    public SinkStatus AssertConservation()
    {
        IReadOnlyList<SinkStatus> statuses = Statuses;
        foreach (SinkStatus status in statuses)
            Counters.AssertAddUp(status, _calls.Value);
        Assert.Empty(Sink.Unexpected);
        return statuses[0];
    }

    public void Dispose() => _services.Dispose();

    private WatchedSink CreateSink(AsyncOtlpLoggerOptions options, SinkContext context)
    {
        var reports = new ConnectionMetrics(context, "tcp");
        context.SetTarget(options.Target);
        context.SetServer(options.Endpoint!.IdnHost, options.Endpoint.Port);
        var request = new OtlpRequest(OtlpResource.Encode((_surroundings.Resource ?? OtlpResource.AttributesOf)(options)));
        NetworkDialer dialer = ExportConnection.CreateDialer(_surroundings.Resolve);
        var client = new ExportClient(options, context.TimeProvider, current => new ExportConnection(current, reports, real => new ScriptedHandler(Script, real), dialer));
        _sinks.Add(new WatchedSink(new OtlpSink(options, request, client, Diagnostics.Around(context), _surroundings.Random), _surroundings.IsOpen));
        return Sink;
    }

    /// <summary>Counts the calls of all loggers, beside the product.</summary>
    private sealed class CallCount : ILoggerProvider, ILogger
    {
        private long _value;

        public long Value => Interlocked.Read(ref _value);

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel != LogLevel.None;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            => Interlocked.Increment(ref _value);

        public void Dispose()
        {
        }
    }
}

/// <summary>What a vector says of the surroundings of a sink.</summary>
internal sealed record OtlpSurroundings
{
    /// <summary>Adds services of the application.</summary>
    public Action<IServiceCollection>? Services { get; init; }

    /// <summary>The names of the instances; null: the default one alone.</summary>
    public string[]? Instances { get; init; }

    /// <summary>The attributes of the resource; null: those that the sink finds.</summary>
    public Func<AsyncOtlpLoggerOptions, IReadOnlyList<KeyValuePair<string, object>>>? Resource { get; init; }

    /// <summary>Resolves names; null: the system does.</summary>
    public Func<string, IPAddress[]>? Resolve { get; init; }

    /// <summary>Numbers from 0 to 1 for the delays between attempts; null: random ones.</summary>
    public Func<double>? Random { get; init; }

    /// <summary>Set when the sink may open; null: at once.</summary>
    public ManualResetEventSlim? IsOpen { get; init; }
}
