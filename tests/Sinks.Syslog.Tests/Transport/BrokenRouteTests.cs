using System.Globalization;
using System.Net;
using System.Net.Sockets;
using AsyncLog.Tests.Support;
using AsyncLog.Tests.Transport.Stream;

namespace AsyncLog.Tests.Transport;

/// <summary>Faults of the network itself, in namespaces of their own.</summary>
[Trait("Category", "system")]
public sealed class BrokenRouteTests
{
    [Theory]
    [InlineData("blackhole", "InvalidArgument")]
    [InlineData("unreachable", "unreachable")]
    public void Each_datagram_that_a_route_discards_is_counted_as_dropped_and_the_others_are_sent(string kind, string errorClass)
    {
        using var network = NetworkNamespace.Create();
        network.Configure("route add 10.9.9.0/24 dev lo");
        // The worker is a child of this thread and lives in the same namespace.
        network.Run(() =>
        {
            using var pipeline = new SyslogPipeline(static options =>
            {
                options.Endpoint = new Uri("udp://10.9.9.9:514");
                options.ReconnectDelay = options.MaxReconnectDelay = TimeSpan.FromMilliseconds(10);
            });
            pipeline.Log(10);
            Assert.True(pipeline.Flush());
            Assert.Empty(pipeline.AssertConservation(10).Errors);
            network.Configure($"route add {kind} 10.9.9.9/32");
            pipeline.Log(10, first: 10);
            Assert.False(pipeline.Flush());
            SinkStatus status = pipeline.AssertConservation(20);
            Assert.Equal((10L, 10L, 10L), (status.Written, pipeline.Dropped(DropReason.WriteFailed), status.Errors[errorClass]));
            network.Configure($"route del {kind} 10.9.9.9/32");
            pipeline.Log(10, first: 20);
            Assert.True(pipeline.Flush());
            status = pipeline.AssertConservation(30);
            Assert.Equal((20L, 10L), (status.Written, status.Dropped));
        });
    }

    [Fact]
    public void The_answer_of_a_router_to_an_earlier_datagram_costs_no_later_one()
    {
        using var here = NetworkNamespace.Create();
        using var router = NetworkNamespace.Create();
        NetworkNamespace.Join(here, router);
        here.Configure("route add 10.9.9.0/24 via 10.77.0.2");
        // The router answers "communication administratively prohibited".
        router.Configure("route add prohibit 10.9.9.9/32");
        router.Run(static () => File.WriteAllText("/proc/sys/net/ipv4/ip_forward", "1"));
        here.Run(() =>
        {
            using IDatagramSocket socket = new UdpSockets(new BoundedWait(TimeProvider.System)).Open(IPAddress.Parse("10.9.9.9"), 514);
            Assert.Equal(SocketError.Success, socket.Send("prohibited"u8));
            Eventually.True(() => Answers() > 0);
            // The system returns the answer with the next send, which sends nothing.
            Assert.Equal(SocketError.Success, socket.Send("prohibited"u8));
            for (int i = 0; i < 10; i++)
                Assert.Equal(SocketError.Success, socket.Send("prohibited"u8));
            Assert.Equal(12, Datagrams());
        });
    }

    // ICMP messages of the kind "destination unreachable" that arrived in this thread's namespace.
    private static long Answers() => Counter("Icmp", "InDestUnreachs");

    // Datagrams that were sent in it.
    private static long Datagrams() => Counter("Udp", "OutDatagrams");

    // A line of names, and one of values.
    private static long Counter(string protocol, string name)
    {
        string[][] lines = [.. File.ReadLines("/proc/thread-self/net/snmp").Select(static line => line.Split(' ')).Where(words => words[0] == protocol + ":")];
        return long.Parse(lines[1][Array.IndexOf(lines[0], name)], CultureInfo.InvariantCulture);
    }

    [Fact]
    public void Datagrams_without_a_route_cost_one_exception_in_ten_milliseconds_and_a_route_is_taken()
    {
        using var network = NetworkNamespace.Create();
        network.Run(() =>
        {
            var time = new FakeTimeProvider();
            using IDatagramSocket socket = new UdpSockets(new BoundedWait(time)).Open(IPAddress.Parse("10.9.9.9"), 514);
            int thrown = 0;
            int thread = Environment.CurrentManagedThreadId;
            EventHandler<System.Runtime.ExceptionServices.FirstChanceExceptionEventArgs> count = (_, _) => thrown += Environment.CurrentManagedThreadId == thread ? 1 : 0;
            AppDomain.CurrentDomain.FirstChanceException += count;
            try
            {
                for (int i = 0; i < 1000; i++)
                    Assert.Equal(SocketError.NetworkUnreachable, socket.Send("nowhere"u8));
                Assert.Equal(1, thrown);
                time.Advance(TimeSpan.FromMilliseconds(10) - TimeSpan.FromTicks(1));
                Assert.Equal(SocketError.NetworkUnreachable, socket.Send("nowhere"u8));
                Assert.Equal(1, thrown);
                time.Advance(TimeSpan.FromTicks(1));
                for (int i = 0; i < 1000; i++)
                    Assert.Equal(SocketError.NetworkUnreachable, socket.Send("nowhere"u8));
                Assert.Equal(2, thrown);
                network.Configure("route add 10.9.9.0/24 dev lo");
                time.Advance(TimeSpan.FromMilliseconds(10));
                Assert.Equal(SocketError.Success, socket.Send("somewhere"u8));
                network.Configure("route add unreachable 10.9.9.9/32");
                for (int i = 0; i < 1000; i++)
                    Assert.Equal(SocketError.HostUnreachable, socket.Send("nowhere"u8));
                Assert.Equal(2, thrown);
            }
            finally
            {
                AppDomain.CurrentDomain.FirstChanceException -= count;
            }
        });
    }

    [Fact]
    public void The_user_timeout_detects_a_peer_that_vanished_and_nothing_is_lost()
    {
        using var here = NetworkNamespace.Create();
        using var there = NetworkNamespace.Create();
        NetworkNamespace.Join(here, there);
        StreamReceiver? receiver = null;
        there.Run(() => receiver = new StreamReceiver(endPoint: new IPEndPoint(IPAddress.Parse("10.77.0.2"), 514)));
        var context = new RecordingContext();
        here.Run(() =>
        {
            using var transport = Streams.Transport(
                Streams.Tcp(514, "10.77.0.2", static options => (options.UserTimeout, options.ConnectTimeout) = (TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(10))), context);
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
