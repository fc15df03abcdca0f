using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using AsyncLog.Tests.Transport.Stream;

namespace AsyncLog.Tests.Transport.Tls;

/// <summary>A TLS receiver inside the test.</summary>
/// <remarks>Each connection reads and disposes a certificate of its own: one that is disposed while another thread hands it to a handshake ends the
/// process, because OpenSSL's reference to it is not counted there.</remarks>
internal sealed class TlsReceiver : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly List<Socket> _sockets = [];
    private readonly List<SslProtocols> _versions = [];
    private volatile string _certificate = null!;
    private readonly List<MemoryStream> _connections = [];
    private readonly List<string> _clients = [];
    private readonly Lock _lock = new();
    private int _closeNotifies;

    public TlsReceiver(string certificate)
    {
        Use(certificate);
        _listener.Start();
        Port = ((IPEndPoint)_listener.LocalEndpoint).Port;
        new Thread(Accept) { IsBackground = true, Name = "TLS receiver" }.Start();
    }

    public int Port { get; }

    public SslProtocols Protocols { get; init; }

    /// <summary>Refuses clients that show no certificate of the test authority.</summary>
    public bool AsksForCertificate { get; init; }

    /// <summary>Ends the TCP connection, without a word of TLS, after so many frames of the first connection.</summary>
    public int ClosesAfterFrames { get; init; } = int.MaxValue;

    public int CloseNotifies => Volatile.Read(ref _closeNotifies);

    public IReadOnlyList<string> Clients
    {
        get
        {
            lock (_lock)
                return [.. _clients];
        }
    }

    /// <summary>What was negotiated with each client.</summary>
    public IReadOnlyList<SslProtocols> Versions
    {
        get
        {
            lock (_lock)
                return [.. _versions];
        }
    }

    /// <summary>What came over each connection.</summary>
    public IReadOnlyList<byte[]> ConnectionBytes
    {
        get
        {
            lock (_lock)
                return [.. _connections.Select(static bytes => bytes.ToArray())];
        }
    }

    public int ConnectionCount
    {
        get
        {
            lock (_lock)
                return _connections.Count;
        }
    }

    public List<string> Frames
    {
        get
        {
            lock (_lock)
                return [.. _connections.SelectMany(static bytes => FrameReader.Octets(bytes.ToArray(), out _))];
        }
    }

    /// <summary>Shows this certificate to clients from now on.</summary>
    public void Use(string certificate) => _certificate = TestCertificates.File(certificate);

    /// <summary>Ends all connections, without a word of TLS.</summary>
    public void EndConnections()
    {
        lock (_lock)
        {
            foreach (Socket socket in _sockets)
                End(socket);
            _sockets.Clear();
        }
    }

    public void Dispose() => _listener.Dispose();

    private void Accept()
    {
        try
        {
            while (true)
            {
                Socket socket = _listener.AcceptSocket();
                new Thread(() => Serve(socket)) { IsBackground = true, Name = "TLS receiver connection" }.Start();
            }
        }
        catch (Exception exception) when (exception is SocketException or InvalidOperationException)
        {
            // the listener was closed
        }
    }

    private void Serve(Socket socket)
    {
        var wire = new WatchedStream(socket);
        using var tls = new SslStream(wire, leaveInnerStreamOpen: false);
        try
        {
            string path = _certificate;
            using X509Certificate2 certificate = X509Certificate2.CreateFromPemFile(path + ".pem", path + ".key");
            tls.AuthenticateAsServer(new SslServerAuthenticationOptions
            {
                // Makes no requests to addresses in the certificate.
                ServerCertificateContext = SslStreamCertificateContext.Create(certificate, additionalCertificates: null, offline: true),
                EnabledSslProtocols = Protocols,
                ClientCertificateRequired = AsksForCertificate,
                RemoteCertificateValidationCallback = (_, client, _, _) => !AsksForCertificate || IsOfAuthority(client),
            });
            var bytes = new MemoryStream();
            bool isFirst;
            lock (_lock)
            {
                isFirst = _connections.Count == 0;
                _connections.Add(bytes);
                _sockets.Add(socket);
                _versions.Add(tls.SslProtocol);
                if (tls.RemoteCertificate is { } client)
                    _clients.Add(client.Subject);
            }

            Read(tls, wire, bytes, isFirst ? ClosesAfterFrames : int.MaxValue);
        }
        catch (Exception exception) when (exception is IOException or AuthenticationException or ObjectDisposedException or CryptographicException)
        {
            // the client went away, or was refused, or the certificate's file is gone with the test
        }
    }

    // A socket that was closed meanwhile has ended already.
    private static void End(Socket socket)
    {
        try
        {
            socket.Shutdown(SocketShutdown.Both);
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // that is what was wanted
        }
    }

    private static bool IsOfAuthority(X509Certificate? client)
    {
        if (client is null)
            return false;
        using var chain = new X509Chain();
        chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        chain.ChainPolicy.CustomTrustStore.ImportFromPemFile(TestCertificates.File("ca.pem"));
        return chain.Build((X509Certificate2)client);
    }

    private void Read(SslStream tls, WatchedStream wire, MemoryStream bytes, int limit)
    {
        byte[] buffer = new byte[16 << 10];
        while (true)
        {
            int count = tls.Read(buffer);
            if (count == 0)
            {
                // The end of TLS before that of TCP is a close_notify.
                if (!wire.HasEnded)
                    Interlocked.Increment(ref _closeNotifies);
                return;
            }

            lock (_lock)
                bytes.Write(buffer.AsSpan(0, count));
            if (FrameReader.Octets(bytes.ToArray(), out _).Count < limit)
                continue;
            wire.Close();
            return;
        }
    }

    private sealed class WatchedStream(Socket socket) : NetworkStream(socket, ownsSocket: true)
    {
        public bool HasEnded { get; private set; }

        // The other forms of a derived stream end here.
        public override int Read(byte[] buffer, int offset, int count)
        {
            int read = base.Read(buffer, offset, count);
            HasEnded |= read == 0 && count > 0;
            return read;
        }
    }
}
