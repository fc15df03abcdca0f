using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests.Transport.Datagram;

/// <summary>UDP sockets that answer each send as a test says; the last answer with a star goes on for ever.</summary>
internal sealed class FakeUdpSockets(IEnumerable<string> results, BoundedWait clock) : IUdpSockets
{
    private readonly Queue<string> _results = new(results);
    private readonly long _began = clock.Now;

    public List<byte[]> Sends { get; } = [];

    /// <summary>When each was sent, by the transport's clock.</summary>
    public List<TimeSpan> SentAt { get; } = [];

    /// <summary>What the system took.</summary>
    public List<byte[]> Taken { get; } = [];

    public int Opened { get; private set; }

    /// <summary>To whom sockets were opened.</summary>
    public List<IPAddress> Opens { get; } = [];

    /// <summary>Addresses to which there is no route.</summary>
    public HashSet<IPAddress> Unroutable { get; } = [];

    /// <summary>Moves the clock while the sender waits for room.</summary>
    public Action<TimeSpan>? Waiting { get; init; }

    /// <summary>Moves the clock with each send.</summary>
    public Action? Sending { get; init; }

    public List<TimeSpan> Waits { get; } = [];

    public IPAddress? FirstReachable(IReadOnlyList<IPAddress> addresses, int port) => addresses.FirstOrDefault(address => !Unroutable.Contains(address));

    public IDatagramSocket Open(IPAddress address, int port)
    {
        Opened++;
        Opens.Add(address);
        return new FakeSocket(this);
    }

    private SocketError Send(byte[] datagram)
    {
        Sending?.Invoke();
        Sends.Add(datagram);
        SentAt.Add(clock.Since(_began));
        string result = _results.TryPeek(out string? next) ? next : "ok";
        if (!result.EndsWith('*'))
            _results.TryDequeue(out _);
        SocketError error = result is "ok" or "ok*" ? SocketError.Success : Enum.Parse<SocketError>(result.TrimEnd('*'));
        if (error == SocketError.Success)
            Taken.Add(datagram);
        return error;
    }

    private bool Wait(TimeSpan time)
    {
        Waits.Add(time);
        long began = clock.Now;
        Waiting?.Invoke(time);
        return clock.Since(began) < time;
    }

    private sealed class FakeSocket(FakeUdpSockets owner) : IDatagramSocket
    {
        public SocketError Send(ReadOnlySpan<byte> datagram) => owner.Send(datagram.ToArray());

        public bool WaitWritable(TimeSpan time, CancellationToken cancellationToken) => owner.Wait(time);

        public void Dispose()
        {
            // holds nothing
        }
    }
}
