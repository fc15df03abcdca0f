namespace AsyncLog.Tests.Transport.Stream;

/// <summary>Makes connections whose acknowledgements and ends the test tells.</summary>
/// <param name="cipherBytes">What each send takes on the wire beside its frames, with TLS; null: no TLS.</param>
internal sealed class ToldDialer(FakeTimeProvider time, int? cipherBytes = null)
{
    public List<Connection> Connections { get; } = [];

    public IStreamConnection Connect(AsyncSyslogLoggerOptions options, CancellationToken cancellationToken)
    {
        Connections.Add(new Connection(time, cipherBytes));
        return Connections[^1];
    }

    internal sealed class Connection(FakeTimeProvider time, int? cipherBytes) : IStreamConnection
    {
        private readonly MemoryStream _frames = new();

        /// <summary>What was sent over it.</summary>
        public IReadOnlyList<string> Frames => FrameReader.Octets(_frames.ToArray(), out _);

        /// <summary>The bytes on the wire that the peer's system has acknowledged.</summary>
        public long Acknowledged { get; set; }

        public int WriteLimit => 16 << 10;

        public bool IsTransparent => cipherBytes is null;

        public bool IsClosed { get; private set; }

        public LogSinkException? Failure { get; private set; }

        public long BytesSent { get; private set; }

        /// <summary>The peer ends it.</summary>
        public void End(bool isReset)
        {
            IsClosed = true;
            Failure = isReset ? new LogSinkException(SocketErrorClass.Reset, "the connection broke") : null;
        }

        public int Send(ReadOnlySpan<byte> frames, TimeSpan stallLimit, CancellationToken cancellationToken)
        {
            _frames.Write(frames);
            BytesSent += frames.Length + (cipherBytes ?? 0);
            return frames.Length;
        }

        public void ProcessIncoming()
        {
            // the peer says nothing
        }

        public void ProcessIncoming(TimeSpan wait, CancellationToken cancellationToken) => time.Advance(wait);

        public bool TryReadAcknowledged(out long acknowledged, out long window)
        {
            (acknowledged, window) = (Acknowledged, 1 << 20);
            return true;
        }

        public void Shutdown(TimeSpan limit, CancellationToken cancellationToken)
        {
            // nobody waits for it
        }

        public void Dispose()
        {
            // what was sent is still read
        }
    }
}
