using System.Net;

namespace AsyncLog.Tests.Transport.Datagram;

/// <summary>A datagram transport over fake sockets, a fake resolver and fake time, driven by the test's thread.</summary>
internal sealed class DatagramBench
{
    private readonly NameLookup _lookup;
    private int _lookups;

    public DatagramBench(IEnumerable<string> results, Func<TransportSettings, TransportSettings>? change = null)
    {
        Clock = new TransportClock(Time);
        Sockets = new FakeUdpSockets(results, Clock) { Waiting = Time.Advance };
        var settings = new TransportSettings { Target = "udp://receiver.example:514", Host = "receiver.example", Port = 514 };
        settings = change?.Invoke(settings) ?? settings;
        _lookup = new NameLookup(settings.Host, Clock, Resolve);
        Transport = new DatagramTransport(
            settings, new UdpPath(_lookup, Sockets, Clock, Voice), new RecordCutter(new SyslogLayout()), new SequenceCounter(), Clock, Voice);
    }

    public FakeTimeProvider Time { get; } = new();

    public TransportClock Clock { get; }

    public FakeUdpSockets Sockets { get; }

    public RecordingVoice Voice { get; } = new();

    public DatagramTransport Transport { get; }

    /// <summary>How often the name was resolved.</summary>
    public int Lookups => Volatile.Read(ref _lookups);

    public Func<int, IPAddress[]> Answer { get; set; } = static _ => [IPAddress.Loopback];

    public LogBatch Write(params IEnumerable<string> records)
    {
        LogBatch batch = Records.Batch(records);
        Transport.Write(batch, CancellationToken.None);
        return batch;
    }

    private IPAddress[] Resolve(string host) => Answer(Interlocked.Increment(ref _lookups));
}
