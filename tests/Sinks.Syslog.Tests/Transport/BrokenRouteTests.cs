using System.Net;
using AsyncLog.Tests.Transport.Stream;

namespace AsyncLog.Tests.Transport;

/// <summary>Faults of the network itself, in namespaces of their own.</summary>
[Trait("Category", "system")]
public sealed class BrokenRouteTests
{
    [Theory]
    [InlineData("blackhole")]
    [InlineData("unreachable")]
    public void Fault_F100_A_route_that_swallows_datagrams_costs_records_that_are_counted_and_no_time(string kind)
    {
        using var network = NetworkNamespace.Create();
        network.Configure("route add 10.9.9.0/24 dev lo");
        var voice = new RecordingVoice();
        network.Run(() =>
        {
            var clock = new TransportClock(TimeProvider.System);
            var settings = new TransportSettings { Target = "udp://10.9.9.9:514", Host = "10.9.9.9", Port = 514 };
            using var transport = new DatagramTransport(
                settings, new UdpPath(new NameLookup(settings.Host, clock), new UdpSockets(clock), clock, voice), new RecordCutter(new SyslogLayout()), new SequenceCounter(), clock, voice);
            transport.Write(Records.Batch(Records.Series(10)), CancellationToken.None);
            Assert.Empty(voice.Errors);
            network.Configure($"route add {kind} 10.9.9.9/32");
            LogBatch swallowed = Records.Batch(Records.Series(10));
            var thrown = Record.Exception(() => transport.Write(swallowed, CancellationToken.None));
            Assert.True(voice.Errors.Count > 0 || thrown is LogSinkException);
            Assert.InRange(swallowed.Count, 0, 9);
            network.Configure($"route del {kind} 10.9.9.9/32");
            LogBatch after = Records.Batch(Records.Series(10));
            transport.Write(after, CancellationToken.None);
            Assert.Equal(0, after.Count);
        });
    }

    [Fact]
    public void Fault_F111_A_peer_that_vanished_is_noticed_by_the_user_timeout_and_nothing_is_lost()
    {
        using var here = NetworkNamespace.Create();
        using var there = NetworkNamespace.Create();
        NetworkNamespace.Join(here, there);
        StreamReceiver? receiver = null;
        there.Run(() => receiver = new StreamReceiver(endPoint: new IPEndPoint(IPAddress.Parse("10.77.0.2"), 514)));
        var voice = new RecordingVoice();
        here.Run(() =>
        {
            using var transport = Streams.Transport(
                Streams.Tcp(514, "10.77.0.2") with { UserTimeout = TimeSpan.FromSeconds(1), ConnectTimeout = TimeSpan.FromMilliseconds(500) }, voice);
            transport.Write(Records.Batch(Records.Framed(Records.Series(10))), CancellationToken.None);
            Eventually.True(() => receiver!.Frames.Count == 10);
            // No answer finds its way any more; what is sent still arrives, which a sender cannot know.
            there.Configure("route add blackhole 10.77.0.1/32");
            transport.Write(Records.Batch(Records.Framed(Records.Series(10, first: 10))), CancellationToken.None);
            LogSinkException? thrown = null;
            Eventually.True(() => thrown is not null, () => thrown = Record.Exception(() => transport.RunDue(CancellationToken.None)) as LogSinkException);
            Assert.Equal("timeout", thrown!.ErrorType);
            there.Configure("route del blackhole 10.77.0.1/32");
            Eventually.True(() => receiver!.Connections.Count == 2, () => Record.Exception(() => transport.RunDue(CancellationToken.None)));
            Eventually.True(() => receiver!.Connections[1].Frames.Count == 10);
            Assert.Equal(Records.Series(10, first: 10), receiver!.Connections[1].Frames);
        });
        receiver!.Dispose();
    }
}
