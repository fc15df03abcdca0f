using AsyncLog.Tests.Vectors;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>The real provider, queue and formatter in front of a sink that keeps what it is given.</summary>
internal sealed class OtlpHarness : IVectorTarget, IDisposable
{
    private readonly ServiceProvider _services;
    private readonly ILoggerFactory _factory;
    private readonly KeepingSink _sink = new();

    public OtlpHarness(Action<AsyncOtlpLoggerOptions>? configure = null)
    {
        var services = new ServiceCollection();
        services.AddSingleton<TimeProvider>(Clock);
        services.AddKeyedSingleton<TimeProvider>("AsyncLog.Waits", Clock);
        services.AddLogging(logging => logging.SetMinimumLevel(LogLevel.Trace).AddSink<AsyncOtlpLoggerProvider, AsyncOtlpLoggerOptions>(
            new OtlpSinkDefinition((options, _) =>
            {
                Options = options;
                return _sink;
            }),
            options =>
            {
                options.ScheduledDelay = TimeSpan.Zero;
                options.MaxQueueMemory = 64 << 20;
                configure?.Invoke(options);
            }));
        services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel) = (false, LogLevel.None));
        _services = services.BuildServiceProvider();
        _factory = _services.GetRequiredService<ILoggerFactory>();
    }

    public VectorClock Clock { get; } = new();

    public string DefaultCategory => "C";

    public string DefaultMessage => "m";

    /// <summary>The options in force.</summary>
    public AsyncOtlpLoggerOptions Options { get; private set; } = new();

    public SinkStatus Status => Control.GetStatus().Find("otlp/default")!;

    public AsyncOtlpLoggerProvider Provider => _services.GetServices<ILoggerProvider>().OfType<AsyncOtlpLoggerProvider>().Single();

    private IAsyncLogControl Control => _services.GetRequiredService<IAsyncLogControl>();

    public ILoggerFactory Factory => _factory;

    public ILogger Logger(string category = "C") => _factory.CreateLogger(category);

    /// <summary>The records since the last call, as they lay in the queue.</summary>
    public async Task<BatchRecord[]> TakeAsync()
    {
        Assert.True(await Control.FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        return _sink.Take();
    }

    public void Dispose() => _services.Dispose();

    private sealed class KeepingSink : ILogSink
    {
        private readonly Lock _gate = new();
        private readonly List<BatchRecord> _records = [];

        public BatchRecord[] Take()
        {
            lock (_gate)
            {
                BatchRecord[] taken = [.. _records];
                _records.Clear();
                return taken;
            }
        }

        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
        {
            lock (_gate)
            {
                for (var i = 0; i < batch.Count; i++)
                    _records.Add(batch[i] with { Bytes = batch[i].Bytes.ToArray() });
            }

            return ValueTask.CompletedTask;
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
