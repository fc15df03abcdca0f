using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests.Transport.Stream;

/// <summary>What a receiver does with one connection.</summary>
internal sealed record ReceiverScript
{
    /// <summary>Reads no more than this; then <see cref="AfterLimit"/>.</summary>
    public long ReadLimit { get; init; } = long.MaxValue;

    public ReceiverEnd AfterLimit { get; init; }

    /// <summary>Sent as soon as the connection is there.</summary>
    public byte[] Sends { get; init; } = [];

    /// <summary>Whether it stays when the sender has ended.</summary>
    public bool StaysAfterEnd { get; init; }

    /// <summary>Reads one byte each time this is released, until <see cref="TrickleEnds"/>; null: reads as much as there is.</summary>
    public SemaphoreSlim? Trickle { get; init; }

    /// <summary>Set: from the next release on as much is read as there is.</summary>
    public CancellationToken TrickleEnds { get; init; }

    /// <summary>Whether it sends as fast as it can until the connection ends, and reads beside.</summary>
    public bool TalksWithoutEnd { get; init; }
}

/// <summary>How a receiver leaves a connection.</summary>
internal enum ReceiverEnd
{
    /// <summary>It stays and reads nothing more.</summary>
    Stay,

    /// <summary>It closes: a reset if something is unread.</summary>
    Close,

    /// <summary>It resets.</summary>
    Reset,
}

/// <summary>A TCP or local stream receiver inside the test: keeps what it reads, connection by connection.</summary>
internal sealed class StreamReceiver : IDisposable
{
    private readonly Socket _listener;
    private readonly Func<int, ReceiverScript> _script;
    private readonly List<Received> _connections = [];
    private readonly Lock _lock = new();

    /// <param name="script">What it does with each connection, by its number.</param>
    /// <param name="endPoint">Where it listens; null: a free port.</param>
    /// <param name="bufferBytes">What the system takes for a connection that is not read; null: as much as it likes.</param>
    public StreamReceiver(Func<int, ReceiverScript>? script = null, EndPoint? endPoint = null, int? bufferBytes = null)
    {
        _script = script ?? (static _ => new ReceiverScript());
        EndPoint local = endPoint ?? new IPEndPoint(IPAddress.Loopback, 0);
        _listener = new Socket(local.AddressFamily, SocketType.Stream, local is IPEndPoint ? ProtocolType.Tcp : ProtocolType.Unspecified);
        if (local is IPEndPoint)
            _listener.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
        // Connections inherit it.
        if (bufferBytes is { } bytes)
            _listener.ReceiveBufferSize = bytes;
        ReceiveBuffer = _listener.ReceiveBufferSize;
        _listener.Bind(local);
        _listener.Listen(64);
        Port = (_listener.LocalEndPoint as IPEndPoint)?.Port ?? 0;
        new Thread(Accept) { IsBackground = true, Name = "receiver" }.Start();
    }

    public int Port { get; }

    /// <summary>What the system made of the wanted buffer: no window is larger.</summary>
    public int ReceiveBuffer { get; }

    public IReadOnlyList<Received> Connections
    {
        get
        {
            lock (_lock)
                return [.. _connections];
        }
    }

    /// <summary>All whole frames of all connections, in order.</summary>
    public List<string> Frames => [.. Connections.SelectMany(static connection => connection.Frames)];

    /// <summary>Stops listening; connections stay.</summary>
    public void StopListening() => _listener.Dispose();

    public void Dispose()
    {
        _listener.Dispose();
        foreach (Received connection in Connections)
            connection.End(ReceiverEnd.Reset);
    }

    private void Accept()
    {
        try
        {
            while (true)
            {
                Socket socket = _listener.Accept();
                lock (_lock)
                {
                    var received = new Received(socket, _script(_connections.Count));
                    _connections.Add(received);
                    received.Start();
                }
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // the listener was closed
        }
    }

    /// <summary>One connection and what was read from it.</summary>
    internal sealed class Received(Socket socket, ReceiverScript script)
    {
        private readonly MemoryStream _bytes = new();
        private volatile bool _hasEnded;
        private volatile bool _hasFinished;
        private volatile int _reader;
        private long _talked;

        /// <summary>Bytes sent without end.</summary>
        public long Talked => Interlocked.Read(ref _talked);

        /// <summary>Bytes that the system holds for the reader.</summary>
        public int Unread => socket.Available;

        /// <summary>Bytes that were read.</summary>
        public long ByteCount
        {
            get
            {
                lock (_bytes)
                    return _bytes.Length;
            }
        }

        /// <summary>Whether the sender said that it sends nothing more, or is gone.</summary>
        public bool HasEnded => _hasEnded;

        /// <summary>Whether the sender said in order that it sends nothing more.</summary>
        public bool HasFinished => _hasFinished;

        public byte[] Bytes
        {
            get
            {
                lock (_bytes)
                    return _bytes.ToArray();
            }
        }

        public List<string> Frames => FrameReader.Octets(Bytes, out _);

        /// <summary>Bytes of the last frame if it is not whole; -1: the stream is no sequence of frames.</summary>
        public int Torn
        {
            get
            {
                FrameReader.Octets(Bytes, out int rest);
                return rest;
            }
        }

        public void Start() => new Thread(Read) { IsBackground = true, Name = "receiver connection" }.Start();

        public void End(ReceiverEnd end)
        {
            try
            {
                switch (end)
                {
                    case ReceiverEnd.Reset:
                        socket.LingerState = new LingerOption(true, 0);
                        socket.Dispose();
                        break;
                    case ReceiverEnd.Close when Environment.CurrentManagedThreadId == _reader:
                        socket.Dispose();
                        break;
                    case ReceiverEnd.Close:
                        // The reading thread closes it: closing it under a read resets.
                        socket.Shutdown(SocketShutdown.Both);
                        break;
                }
            }
            catch (Exception exception) when (exception is ObjectDisposedException or SocketException)
            {
                // The reading thread closed it meanwhile.
            }
        }

        private void Talk()
        {
            byte[] words = new byte[64 << 10];
            try
            {
                while (true)
                    Interlocked.Add(ref _talked, socket.Send(words));
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                // the connection has ended
            }
        }

        private void Read()
        {
            byte[] buffer = new byte[64 << 10];
            _reader = Environment.CurrentManagedThreadId;
            try
            {
                if (script.Sends.Length > 0)
                    socket.Send(script.Sends);
                if (script.TalksWithoutEnd)
                    new Thread(Talk) { IsBackground = true, Name = "receiver talking" }.Start();
                for (long left = script.ReadLimit; left > 0;)
                {
                    if (!script.TrickleEnds.IsCancellationRequested)
                        script.Trickle?.Wait();
                    int most = script.Trickle is null || script.TrickleEnds.IsCancellationRequested ? buffer.Length : 1;
                    int count = socket.Receive(buffer.AsSpan(0, (int)Math.Min(most, left)), SocketFlags.None);
                    if (count == 0)
                    {
                        (_hasFinished, _hasEnded) = (true, true);
                        if (!script.StaysAfterEnd)
                            socket.Dispose();
                        return;
                    }

                    left -= count;
                    lock (_bytes)
                        _bytes.Write(buffer.AsSpan(0, count));
                }

                End(script.AfterLimit);
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                _hasEnded = true;
            }
        }
    }
}
