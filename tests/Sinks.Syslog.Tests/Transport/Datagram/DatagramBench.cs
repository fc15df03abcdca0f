using System.Net;

namespace AsyncLog.Tests.Transport.Datagram;

/// <summary>A datagram transport over fake sockets, a fake resolver and fake time, driven by the test's thread.</summary>
internal sealed class DatagramBench
{
    private readonly DnsResolver _resolver;
    private int _lookups;

    public DatagramBench(IEnumerable<string> results, Action<AsyncSyslogLoggerOptions>? change = null)
    {
        Clock = new BoundedWait(Time);
        Sockets = new FakeUdpSockets(results, Clock) { Waiting = Time.Advance };
        var options = new AsyncSyslogLoggerOptions { Endpoint = new Uri("udp://receiver.example:514") };
        change?.Invoke(options);
        _resolver = new DnsResolver(options.Endpoint.Host, Clock, Resolve);
        Transport = new UdpTransport(options, _resolver, Sockets, new SequenceCounter(), Clock, Context);
    }

    public FakeTimeProvider Time { get; } = new();

    public BoundedWait Clock { get; }

    public FakeUdpSockets Sockets { get; }

    public RecordingContext Context { get; } = new();

    public UdpTransport Transport { get; }

    /// <summary>How often the name was resolved.</summary>
    public int Lookups => Volatile.Read(ref _lookups);

    /// <summary>An address of another machine.</summary>
    public static IPAddress Elsewhere { get; } = IPAddress.Parse("192.0.2.1");

    public Func<int, IPAddress[]> Answer { get; set; } = static _ => [Elsewhere];

    public LogBatch Write(params IEnumerable<string> records)
    {
        LogBatch batch = Records.Batch(records);
        Transport.Write(batch, CancellationToken.None);
        return batch;
    }

    private IPAddress[] Resolve(string host) => Answer(Interlocked.Increment(ref _lookups));
}
