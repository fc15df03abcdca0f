using AsyncLog.Tests.Transport.Datagram;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Vectors;

/// <summary>Plays the lines of vectors/health.jsonl about this sink against the real one over a socket of the test, and reads the meter.</summary>
public sealed class HealthVectorTests
{
    private static int _lastPort = 10_000;

    public static TheoryData<string> Lines() => HealthVector.LinesOf("syslog");

    [Theory]
    [MemberData(nameof(Lines))]
    public void The_meter_and_the_status_are_those_of_the_vector(string line)
    {
        var vector = new HealthVector(line);
        Assert.Null(vector.Events.Find("answers"));
        using var run = new HealthRun(vector, Interlocked.Increment(ref _lastPort));
        using var reading = new HealthReading(run.Port);

        vector.Log(run);
        var duringWait = vector.IsPaused ? reading.Read() : null;
        run.Resume();
        if (!vector.IsPaused && vector.ReadsDuringWait)
            duringWait = run.DuringWait(reading.Read);
        run.Settle();
        if (vector.CallsAfterDispose > 0)
        {
            run.DisposeProvider();
            vector.LogAfterDispose(run);
        }

        vector.Check(reading.Read(), duringWait, run.Status);
    }

    /// <summary>The sink, or several, over sockets that answer as the line says.</summary>
    private sealed class HealthRun : IVectorTarget, IDisposable
    {
        private readonly ServiceProvider _services;
        private readonly ILoggerFactory _factory;
        private readonly IAsyncLogControl _control;
        private readonly HealthVector _vector;
        private readonly FakeTimeProvider _time = new();
        private readonly ManualResetEventSlim _isOpen;
        private readonly ManualResetEventSlim _waits = new();
        private readonly ManualResetEventSlim _mayGoOn = new();

        public HealthRun(HealthVector vector, int port)
        {
            _vector = vector;
            Port = port;
            _isOpen = new ManualResetEventSlim(!vector.IsPaused);
            if (!vector.ReadsDuringWait || vector.IsPaused)
                _mayGoOn.Set();
            Clock = new VectorClock(timers: _time, runs: true);
            var type = new SyslogSinkDefinition((options, context) => new HeldSink(
                new SyslogSink(options, context, Transport), _isOpen));
            var services = new ServiceCollection();
            services.AddSingleton<TimeProvider>(Clock);
            services.AddKeyedSingleton<TimeProvider>("AsyncLog.Waits", Clock);
            services.AddLogging(logging =>
            {
                logging.SetMinimumLevel(LogLevel.Trace);
                foreach (var name in vector.Instances ?? [])
                    logging.AddSink<AsyncSyslogLoggerProvider, AsyncSyslogLoggerOptions>(type, name, Configure);
                if (vector.Instances is null)
                    logging.AddSink<AsyncSyslogLoggerProvider, AsyncSyslogLoggerOptions>(type, Configure);
                else
                    logging.AddSink<AsyncSyslogLoggerProvider, AsyncSyslogLoggerOptions>(type, static options => options.Main = false);
            });
            services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel, options.FlushOnCrash) = (false, LogLevel.None, false));
            _services = services.BuildServiceProvider();
            _factory = _services.GetRequiredService<ILoggerFactory>();
            _control = _services.GetRequiredService<IAsyncLogControl>();
        }

        public int Port { get; }

        public VectorClock Clock { get; }

        public string DefaultCategory => "Shop.Cart";

        public string DefaultMessage => "hello";

        public IReadOnlyList<SinkStatus> Status => _control.GetStatus().Instances;

        public ILogger Logger(string category) => _factory.CreateLogger(category);

        /// <summary>Lets the workers begin.</summary>
        public void Resume() => _isOpen.Set();

        /// <summary>Reads while a send waits.</summary>
        public MeterSnapshot DuringWait(Func<MeterSnapshot> read)
        {
            Eventually.True(() => _waits.IsSet, Pass);
            var snapshot = read();
            _mayGoOn.Set();
            return snapshot;
        }

        /// <summary>Lets time pass until every accepted record has its outcome.</summary>
        public void Settle() => Eventually.True(() => Status.All(static status => status is { QueueSize: 0, InFlight: 0 }), Pass);

        public void DisposeProvider() => _services.GetServices<ILoggerProvider>().OfType<AsyncSyslogLoggerProvider>().Single().Dispose();

        public void Dispose()
        {
            _isOpen.Set();
            _mayGoOn.Set();
            _services.Dispose();
        }

        private void Pass() => _time.Advance(TimeSpan.FromMilliseconds(10));

        private void Configure(AsyncSyslogLoggerOptions options)
        {
            VectorOptions.Set(options, null);
            options.Endpoint = new Uri(FormattableString.Invariant($"udp://receiver.example:{Port}"));
            options.GapNotices = false;
            _vector.Configure(options);
        }

        private UdpTransport Transport(AsyncSyslogLoggerOptions options, BoundedWait clock, SinkContext context)
        {
            var resolver = new DnsResolver("receiver.example", clock, static _ => [DatagramBench.Elsewhere]);
            var sockets = new FakeUdpSockets(_vector.Events.TextsOf("fakeSocket"), clock) { Waiting = Wait };
            return new UdpTransport(options, resolver, sockets, new SequenceCounter(), clock, context);
        }

        private void Wait(TimeSpan time)
        {
            _waits.Set();
            _mayGoOn.Wait();
            _time.Advance(time);
        }
    }

    /// <summary>A sink that opens when the test lets it, so that its worker takes nothing before.</summary>
    private sealed class HeldSink(SyslogSink inner, ManualResetEventSlim isOpen) : IScheduledLogSink, IOpenableLogSink
    {
        public DateTimeOffset? NextDue => inner.NextDue;

        public ValueTask OpenAsync(CancellationToken cancellationToken)
        {
            isOpen.Wait(cancellationToken);
            return inner.OpenAsync(cancellationToken);
        }

        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => inner.WriteAsync(batch, cancellationToken);

        public ValueTask RunDueAsync(CancellationToken cancellationToken) => inner.RunDueAsync(cancellationToken);

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }
}
