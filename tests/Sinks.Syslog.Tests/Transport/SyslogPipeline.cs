using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>The whole sink, formatter and counters included, around a transport of the test or the real one.</summary>
internal sealed class SyslogPipeline : IDisposable
{
    private readonly ServiceProvider _services;

    public SyslogPipeline(
        Action<AsyncSyslogLoggerOptions> configure,
        CreateTransport? transport = null,
        TimeProvider? time = null)
    {
        var services = new ServiceCollection();
        services.AddSingleton(time ?? TimeProvider.System);
        services.AddKeyedSingleton("AsyncLog.Waits", time ?? TimeProvider.System);
        services.AddLogging(builder => builder.SetMinimumLevel(LogLevel.Trace).AddSink<AsyncSyslogLoggerProvider, AsyncSyslogLoggerOptions>(
            new SyslogSinkDefinition((options, context) => Sink = new WatchedSink(new SyslogSink(options, Context = new RecordingContext(context), transport))),
            options =>
            {
                options.HostName = "host-1";
                options.AppName = "shop";
                options.ProcId = "4242";
                options.GapNotices = false;
                configure(options);
            }));
        services.Configure<AsyncLogOptions>(static options =>
        {
            options.StartupReport = false;
            options.FlushOnCrash = false;
            options.SelfReportLevel = LogLevel.None;
        });
        _services = services.BuildServiceProvider();
        Factory = _services.GetRequiredService<ILoggerFactory>();
        Logger = Factory.CreateLogger("Shop.Cart");
        Control = _services.GetRequiredService<IAsyncLogControl>();
    }

    public RecordingContext Context { get; private set; } = null!;

    public WatchedSink Sink { get; private set; } = null!;

    public ILoggerFactory Factory { get; }

    public ILogger Logger { get; }

    public IAsyncLogControl Control { get; }

    public SinkStatus Status => Control.GetStatus().Instances[0];

    /// <summary>Conditions that an operator was told of, each once an episode: failures of delivery are one condition.</summary>
    public int ReportedConditions => Context.Reports.Select(static report => report.Condition).Distinct().Count() + (Sink.Thrown.Count > 0 ? 1 : 0);

    /// <summary>Everything that was told.</summary>
    public IEnumerable<string> Told => [.. Context.Reports.Select(static report => report.Message), .. Sink.Thrown.Select(static exception => exception.Message)];

    /// <summary>Connections made.</summary>
    public int Connects => Attempts(static tags => tags.Length == 1);

    /// <summary>Connections that could not be made.</summary>
    public int FailedConnects => Attempts(static tags => tags.Length > 1);

    /// <summary>Logs records whose messages are <c>r0</c>, <c>r1</c>, … filled up to a length.</summary>
    public void Log(int count, int first = 0, int length = 0)
    {
        for (int i = first; i < first + count; i++)
            Logger.LogInformation("{Text}", NameOf(i).PadRight(length, '.'));
    }

    public static string NameOf(int number) => FormattableString.Invariant($"r{number}");

    public bool Flush(double seconds = 30)
        => Control.FlushAsync(TimeSpan.FromSeconds(seconds), TestContext.Current.CancellationToken).GetAwaiter().GetResult();

    /// <summary>The counters add up, and begin with what the test offered.</summary>
    public SinkStatus AssertConservation(long offered)
    {
        SinkStatus status = Counters.AssertAddUp(Status, offered);
        Assert.InRange(status.Uncertain, 0, status.Written);
        return status;
    }

    public long Dropped(DropReason reason) => Status.Drops.Where(drop => drop.Reason == reason).Sum(static drop => drop.Count);

    public void Dispose() => _services.Dispose();

    private int Attempts(Func<KeyValuePair<string, string>[], bool> isOf) => (int)Status.Measurements
        .Where(measurement => measurement.Name == "asynclog.connection.opened" && isOf([.. measurement.Tags])).Sum(static measurement => measurement.Value);

    /// <summary>Keeps what the sink threw.</summary>
    internal sealed class WatchedSink(SyslogSink inner) : IScheduledLogSink, IOpenableLogSink
    {
        private readonly ConcurrentQueue<Exception> _thrown = new();

        public IReadOnlyList<LogSinkException> Thrown => [.. _thrown.OfType<LogSinkException>()];

        public IReadOnlyList<Exception> Unexpected => [.. _thrown.Where(static exception => exception is not LogSinkException)];

        public DateTimeOffset? NextDue => inner.NextDue;

        public ValueTask OpenAsync(CancellationToken cancellationToken) => Watch(() => inner.OpenAsync(cancellationToken));

        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => Watch(() => inner.WriteAsync(batch, cancellationToken));

        public ValueTask RunDueAsync(CancellationToken cancellationToken) => Watch(() => inner.RunDueAsync(cancellationToken));

        public ValueTask DisposeAsync() => Watch(inner.DisposeAsync);

        private ValueTask Watch(Func<ValueTask> action)
        {
            try
            {
                return action();
            }
            catch (Exception exception)
            {
                _thrown.Enqueue(exception);
                throw;
            }
        }
    }
}
