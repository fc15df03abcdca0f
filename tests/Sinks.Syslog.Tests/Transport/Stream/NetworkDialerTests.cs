using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.ExceptionServices;

namespace AsyncLog.Tests.Transport.Stream;

public sealed class NetworkDialerTests
{
    private static readonly IPAddress Second = IPAddress.Parse("127.0.0.2");
    private static readonly TimeSpan LongLimit = TimeSpan.FromSeconds(60);

    [Fact]
    public void A_dead_address_leaves_time_for_the_next_one_and_delays_no_later_connection()
    {
        using var dead = new FullBacklog();
        using var alive = new TcpListener(Second, dead.Port);
        alive.Start();
        NetworkDialer dialer = Dialer(TimeProvider.System);
        using (Socket first = Connect(dialer, dead.Port, TimeSpan.FromSeconds(1)))
            Assert.Equal(alive.LocalEndpoint, first.RemoteEndPoint);
        long began = Stopwatch.GetTimestamp();
        using Socket second = Connect(dialer, dead.Port, LongLimit);
        Assert.Equal(alive.LocalEndpoint, second.RemoteEndPoint);
        // The dead one's share of the limit.
        Assert.InRange(Stopwatch.GetElapsedTime(began), TimeSpan.Zero, LongLimit / 2);
    }

    [Fact]
    public void An_address_that_failed_is_tried_last_for_ten_minutes()
    {
        int port = Ports.Free();
        using var other = new TcpListener(Second, port);
        other.Start();
        var time = new FakeTimeProvider();
        NetworkDialer dialer = Dialer(time);
        Assert.Equal(Second, Reached());
        using var first = new TcpListener(IPAddress.Loopback, port);
        first.Start();
        Assert.Equal(Second, Reached());
        time.Advance(TimeSpan.FromMinutes(10));
        Assert.Equal(Second, Reached());
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(IPAddress.Loopback, Reached());

        IPAddress Reached()
        {
            using Socket socket = Connect(dialer, port, LongLimit);
            return ((IPEndPoint)socket.RemoteEndPoint!).Address;
        }
    }

    [Fact]
    public void The_end_of_the_shutdown_budget_ends_a_connect()
    {
        using var dead = new FullBacklog();
        using var budget = new CancellationTokenSource(TimeSpan.FromMilliseconds(100));
        long began = Stopwatch.GetTimestamp();
        var thrown = Assert.Throws<LogSinkException>(
            () => Dialer(TimeProvider.System).Connect(new DnsEndPoint("127.0.0.1", dead.Port), "there", LongLimit, budget.Token));
        Assert.Equal(("timeout", "cannot connect to there: timed out"), (thrown.ErrorType, thrown.Message));
        Assert.InRange(Stopwatch.GetElapsedTime(began), TimeSpan.Zero, LongLimit / 2);
    }

    [Fact]
    [NotUnderWine("it has no TCP_KEEPCNT")]
    public void A_connection_is_made_without_an_exception_that_a_debugger_would_stop_at()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        int caller = Environment.CurrentManagedThreadId;
        var options = Streams.Tcp(port);
        var thrown = new List<string>();
        AppDomain.CurrentDomain.FirstChanceException += Note;
        using (new StreamDialer(options, new BoundedWait(TimeProvider.System)).Connect(options, CancellationToken.None))
        {
            // What this thread throws is heard.
            Assert.Throws<InvalidOperationException>(Throw);
            AppDomain.CurrentDomain.FirstChanceException -= Note;
        }

        Assert.Equal(["heard"], thrown);

        static void Throw() => throw new InvalidOperationException("heard");

        // Other tests run at the same time.
        void Note(object? sender, FirstChanceExceptionEventArgs e)
        {
            if (Environment.CurrentManagedThreadId == caller || Thread.CurrentThread.Name?.EndsWith($":{port}", StringComparison.Ordinal) == true)
                thrown.Add(e.Exception.Message);
        }
    }

    private static NetworkDialer Dialer(TimeProvider time) => new(new BoundedWait(time), static _ => [IPAddress.Loopback, Second]);

    private static Socket Connect(NetworkDialer dialer, int port, TimeSpan limit)
        => dialer.Connect(new DnsEndPoint("receiver.example", port), "there", limit, CancellationToken.None);
}
