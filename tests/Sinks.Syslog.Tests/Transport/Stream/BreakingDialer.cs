namespace AsyncLog.Tests.Transport.Stream;

/// <summary>Makes connections that each take a number of sends and then break. What was taken is acknowledged at once, and nothing of it is proved read.</summary>
internal sealed class BreakingDialer(FakeTimeProvider time, params int[] sends)
{
    private int _dialled;

    public IStreamConnection Connect(AsyncSyslogLoggerOptions options, CancellationToken cancellationToken) => new Connection(time, sends[_dialled++]);

    private sealed class Connection(FakeTimeProvider time, int sends) : IStreamConnection
    {
        private int _left = sends;

        // One frame with each send.
        public int WriteLimit => 1;

        public bool IsTransparent => true;

        public bool IsClosed => Failure is not null;

        public LogSinkException? Failure { get; private set; }

        public long BytesSent { get; private set; }

        public int Send(ReadOnlySpan<byte> frames, TimeSpan stallLimit, CancellationToken cancellationToken)
        {
            if (_left-- == 0)
            {
                Failure = new LogSinkException(SocketErrorClass.Reset, "the connection broke");
                return 0;
            }

            BytesSent += frames.Length;
            return frames.Length;
        }

        public void ProcessIncoming()
        {
            // the peer says nothing
        }

        public void ProcessIncoming(TimeSpan wait, CancellationToken cancellationToken) => time.Advance(wait);

        public bool TryReadAcknowledged(out long acknowledged, out long window)
        {
            (acknowledged, window) = (BytesSent, 1 << 20);
            return true;
        }

        public void Shutdown(TimeSpan limit, CancellationToken cancellationToken)
        {
            // nobody waits for it
        }

        public void Dispose()
        {
            // holds nothing
        }
    }
}
