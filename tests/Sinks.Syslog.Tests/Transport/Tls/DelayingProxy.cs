using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests.Transport.Tls;

/// <summary>A long way to a server on this machine: what it says arrives later, what it is told arrives at once.</summary>
internal sealed class DelayingProxy : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly int _server;
    private readonly TimeSpan _delay;

    public DelayingProxy(int server, TimeSpan delay)
    {
        _server = server;
        _delay = delay;
        _listener.Start();
        Port = ((IPEndPoint)_listener.LocalEndpoint).Port;
        Start(Accept);
    }

    public int Port { get; }

    public void Dispose() => _listener.Dispose();

    private void Accept()
    {
        while (true)
        {
            Socket client = _listener.AcceptSocket();
            var server = new Socket(SocketType.Stream, ProtocolType.Tcp);
            server.Connect(new IPEndPoint(IPAddress.Loopback, _server));
            Start(() => Pass(client, server, TimeSpan.Zero));
            Start(() => Pass(server, client, _delay));
        }
    }

    private static void Pass(Socket from, Socket to, TimeSpan delay)
    {
        var waiting = new BlockingCollection<(long At, byte[] Bytes)>();
        Start(() =>
        {
            foreach (var (at, bytes) in waiting.GetConsumingEnumerable())
            {
                TimeSpan left = delay - Stopwatch.GetElapsedTime(at);
                if (left > TimeSpan.Zero)
                    Thread.Sleep(left);
                to.Send(bytes);
            }

            to.Shutdown(SocketShutdown.Send);
        });
        try
        {
            byte[] buffer = new byte[64 << 10];
            for (int count; (count = from.Receive(buffer)) > 0;)
                waiting.Add((Stopwatch.GetTimestamp(), buffer[..count]));
        }
        finally
        {
            waiting.CompleteAdding();
        }
    }

    private static void Start(Action action) => new Thread(() => Guard(action)) { IsBackground = true, Name = "proxy" }.Start();

    private static void Guard(Action action)
    {
        try
        {
            action();
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // one of both ends is gone
        }
    }
}
