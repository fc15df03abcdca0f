using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests.Transport;

/// <summary>Answers whatever comes with an HTTP/2 SETTINGS frame, as the gRPC port of a Go server does.</summary>
internal sealed class SettingsServer : IDisposable
{
    private static readonly byte[] Frame = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 5, 0, 0, 64, 0];
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Thread _thread;

    public SettingsServer()
    {
        _listener.Start();
        Address = new Uri(FormattableString.Invariant($"http://localhost:{((IPEndPoint)_listener.LocalEndpoint).Port}/v1/logs"));
        _thread = new Thread(Run) { IsBackground = true };
        _thread.Start();
    }

    public Uri Address { get; }

    public void Dispose()
    {
        _listener.Stop();
        _thread.Join();
    }

    private void Run()
    {
        try
        {
            while (true)
            {
                using Socket socket = _listener.AcceptSocket();
                socket.Receive(new byte[64 << 10]);
                socket.Send(Frame);
            }
        }
        catch (SocketException)
        {
            // Stopped.
        }
    }
}
