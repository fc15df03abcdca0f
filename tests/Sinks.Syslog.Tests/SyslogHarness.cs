using AsyncLog.Tests.Vectors;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>The real provider, queue and formatter in front of a sink that keeps what it is given.</summary>
internal sealed class SyslogHarness : IVectorTarget, IDisposable
{
    private readonly ServiceProvider _services;
    private readonly ILoggerFactory _factory;
    private readonly KeepingSink _sink = new();

    /// <param name="configure">Sets the options.</param>
    /// <param name="clock">The time of the records.</param>
    /// <param name="createSink">Makes the real sink; null: one that keeps what it is given.</param>
    public SyslogHarness(Action<AsyncSyslogLoggerOptions> configure, VectorClock? clock = null, Func<AsyncSyslogLoggerOptions, SinkContext, ILogSink>? createSink = null)
    {
        Clock = clock ?? new VectorClock();
        var services = new ServiceCollection();
        services.AddSingleton<TimeProvider>(Clock);
        services.AddKeyedSingleton<TimeProvider>("AsyncLog.Waits", Clock);
        services.AddLogging(logging => logging.SetMinimumLevel(LogLevel.Trace).AddSink<AsyncSyslogLoggerProvider, AsyncSyslogLoggerOptions>(
            new SyslogSinkDefinition((options, context) =>
            {
                Options = options;
                return createSink?.Invoke(options, context) ?? _sink;
            }),
            configure));
        services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel) = (false, LogLevel.None));
        _services = services.BuildServiceProvider();
        _factory = _services.GetRequiredService<ILoggerFactory>();
    }

    public VectorClock Clock { get; }

    /// <summary>The options in force.</summary>
    public AsyncSyslogLoggerOptions Options { get; private set; } = new();

    public SyslogLayout Layout => SyslogLayout.From(Options, [.. Options.Properties]);

    public SinkStatus Status => Control.GetStatus().Find("syslog/default")!;

    public AsyncSyslogLoggerProvider Provider => _services.GetServices<ILoggerProvider>().OfType<AsyncSyslogLoggerProvider>().Single();

    private IAsyncLogControl Control => _services.GetRequiredService<IAsyncLogControl>();

    public string DefaultCategory => "Shop.Cart";

    public string DefaultMessage => "hello";

    public ILogger Logger(string category = "Shop.Cart") => _factory.CreateLogger(category);

    /// <summary>The records since the last call, as they lay in the queue.</summary>
    public async Task<byte[][]> TakeAsync()
    {
        Assert.True(await Control.FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        return _sink.Take();
    }

    /// <summary>The records since the last call as they go over the wire; numbers begin with <paramref name="firstNumber"/>.</summary>
    public async Task<byte[][]> TakeFramesAsync(int firstNumber = 1)
    {
        var records = await TakeAsync();
        return Options.SequenceId ? [.. records.Select(Numbered)] : records;

        byte[] Numbered(byte[] record)
        {
            var room = new byte[RecordFraming.RoomFor(record.Length)];
            var length = RecordFraming.WriteNumbered(record, firstNumber, Layout.Framing, room);
            firstNumber = SequenceCounter.After(firstNumber);
            return room[..length];
        }
    }

    public bool Flush() => Control.FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken).GetAwaiter().GetResult();

    public void Dispose() => _services.Dispose();

    private sealed class KeepingSink : ILogSink
    {
        private readonly Lock _gate = new();
        private readonly List<byte[]> _records = [];

        public byte[][] Take()
        {
            lock (_gate)
            {
                byte[][] taken = [.. _records];
                _records.Clear();
                return taken;
            }
        }

        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
        {
            lock (_gate)
            {
                for (var i = 0; i < batch.Count; i++)
                    _records.Add(batch[i].Bytes.ToArray());
            }

            return ValueTask.CompletedTask;
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
