using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>Options of a sink whose records are the messages as they are.</summary>
internal sealed class RawOptions : SinkOptions;

/// <summary>Its provider.</summary>
[ProviderAlias("Raw")]
internal sealed class RawLoggerProvider(SinkServices<RawOptions> services) : SinkLoggerProvider<RawOptions>(services);

/// <summary>Queue, worker and books of AsyncLog around one transport; a record is the bytes of the message logged.</summary>
internal sealed class SinkPipeline : IDisposable
{
    private readonly ServiceProvider _services;

    public SinkPipeline(
        Func<SinkContext, ITransportVoice, ISyslogTransport> transport, Action<RawOptions>? configure = null, TimeProvider? time = null, Backoff? backoff = null)
    {
        var services = new ServiceCollection();
        services.AddSingleton(time ?? TimeProvider.System);
        services.AddLogging(builder => builder.SetMinimumLevel(LogLevel.Trace).AddSink<RawLoggerProvider, RawOptions>(
            new SinkType<RawOptions>("raw", (_, context) => Sink = new WatchedSink(new SyslogSink(transport(context, new BothVoices(Voice, context)), isReload: false)))
            {
                Backoff = _ => backoff ?? new Backoff(TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(100)),
                Apply = static (_, _) => { },
            },
            options =>
            {
                options.Template = "{Message}";
                options.GapNotices = false;
                configure?.Invoke(options);
            }));
        services.Configure<AsyncLogOptions>(static options =>
        {
            options.StartupReport = false;
            options.FlushOnCrash = false;
            options.SelfReport = SelfReportLevel.Off;
        });
        _services = services.BuildServiceProvider();
        Logger = _services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop");
        Control = _services.GetRequiredService<IAsyncLogControl>();
    }

    public RecordingVoice Voice { get; } = new();

    public WatchedSink Sink { get; private set; } = null!;

    public ILogger Logger { get; }

    public IAsyncLogControl Control { get; }

    public SinkStatus Status => Control.GetStatus().Instances[0];

    public void Log(IEnumerable<string> records)
    {
        foreach (string record in records)
            Logger.LogInformation("{Record}", record);
    }

    public bool Flush(double seconds = 20)
        => Control.FlushAsync(TimeSpan.FromSeconds(seconds), TestContext.Current.CancellationToken).AsTask().GetAwaiter().GetResult();

    /// <summary>The books balance, and begin with what the test offered.</summary>
    public SinkStatus AssertConservation(long offered)
    {
        SinkStatus status = Status;
        Assert.Equal(offered, status.Offered);
        Assert.Equal(status.Enqueued, status.Written + status.DroppedAfter + status.QueueSize + status.InFlight);
        Assert.InRange(status.Uncertain, 0, status.Written);
        return status;
    }

    public long Dropped(DropReason reason) => Status.Drops.Where(drop => drop.Reason == reason).Sum(static drop => drop.Count);

    public void Dispose() => _services.Dispose();

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

    // The instance counts, the test looks.
    private sealed class BothVoices(RecordingVoice first, SinkContext context) : ITransportVoice
    {
        private readonly ContextTransportVoice _second = new(context);

        public void Report(SelfReportLevel severity, string condition, string message)
        {
            first.Report(severity, condition, message);
            _second.Report(severity, condition, message);
        }

        public void Resolve(string condition, string message)
        {
            first.Resolve(condition, message);
            _second.Resolve(condition, message);
        }

        public void CountError(string errorType)
        {
            first.CountError(errorType);
            _second.CountError(errorType);
        }

        public void CountUncertain(int records)
        {
            first.CountUncertain(records);
            _second.CountUncertain(records);
        }

        public void CountCut(bool isFirstCut, int droppedParameters)
        {
            first.CountCut(isFirstCut, droppedParameters);
            _second.CountCut(isFirstCut, droppedParameters);
        }
    }
}
