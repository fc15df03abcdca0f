using System.Net.Sockets;
using System.Threading.Tasks.Sources;

namespace AsyncLog;

/// <summary>Inner stream of <see cref="System.Net.Security.SslStream"/>: a socket read and written by the worker's own thread, never by the pool.</summary>
/// <remarks>A pending asynchronous read is completed by <see cref="Pump"/>, and its continuations run inside that call. At most one read is
/// pending at a time.</remarks>
internal sealed class CipherStream(SocketConnection wire) : Stream, IValueTaskSource<int>
{
    private ManualResetValueTaskSourceCore<int> _read;
    private Memory<byte> _destination;
    private bool _isReading;

    // Limits of a blocking call: total time, or time without progress.
    private long _began;
    private TimeSpan _limit;
    private bool _isStallLimit;
    private BoundedWait? _wait;
    private CancellationToken _deadline;

    /// <summary>Error that made the socket unusable; success while it is usable.</summary>
    public SocketError Error { get; private set; }

    /// <summary>The first byte that ever arrived; null: none did.</summary>
    public byte? FirstByte { get; private set; }

    /// <summary>Bounds the blocking calls from now on.</summary>
    /// <param name="isStallLimit">True if it begins again with every step made.</param>
    /// <param name="deadline">Set when the shutdown budget is used up.</param>
    public void Limit(BoundedWait wait, TimeSpan limit, bool isStallLimit, CancellationToken deadline)
    {
        _wait = wait;
        _began = wait.Now;
        _limit = limit;
        _isStallLimit = isStallLimit;
        _deadline = deadline;
    }

    /// <summary>Completes pending reads with received bytes, until nothing is left or no read is pending.</summary>
    public void Pump()
    {
        while (_isReading)
        {
            int received = Receive(_destination.Span, out SocketError error);
            if (error == SocketError.WouldBlock)
                return;
            _isReading = false;
            _destination = default;
            if (error == SocketError.Success)
                _read.SetResult(received);
            else
                _read.SetException(Broken(error));
        }
    }

    public override int Read(Span<byte> buffer)
    {
        while (true)
        {
            int received = Receive(buffer, out SocketError error);
            if (error == SocketError.Success)
                return received;
            if (error != SocketError.WouldBlock)
                throw Broken(error);
            if (!wire.WaitReadable(TimeLeft, _deadline))
                throw Broken(SocketError.TimedOut);
        }
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        int received = Receive(buffer.Span, out SocketError error);
        if (error == SocketError.Success)
            return new ValueTask<int>(received);
        if (error != SocketError.WouldBlock)
            return ValueTask.FromException<int>(Broken(error));
        _read.Reset();
        _destination = buffer;
        _isReading = true;
        return new ValueTask<int>(this, _read.Version);
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        wire.Send(buffer, TimeLeft, _deadline, out SocketError error);
        if (error != SocketError.Success)
            throw Broken(error);
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Write(buffer.Span);
        return default;
    }

    public override void Flush()
    {
        // nothing is held back
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    // SslStream takes nothing but a stream, and one without an end and a position has to refuse these (Stream.CanSeek).
    public override long Length => throw CannotSeek();

    public override long Position
    {
        get => throw CannotSeek();
        set => throw CannotSeek();
    }

    public override long Seek(long offset, SeekOrigin origin) => throw CannotSeek();

    public override void SetLength(long value) => throw CannotSeek();

    int IValueTaskSource<int>.GetResult(short token) => _read.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _read.GetStatus(token);

    // Never on another thread: the worker alone touches the connection.
    void IValueTaskSource<int>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
        => _read.OnCompleted(continuation, state, token, flags & ~ValueTaskSourceOnCompletedFlags.UseSchedulingContext);

    private TimeSpan TimeLeft => _isStallLimit || _wait is null ? _limit : _limit - _wait.Since(_began);

    private int Receive(Span<byte> destination, out SocketError error)
    {
        error = SocketError.Success;
        if (destination.IsEmpty)
            return 0;
        int received = wire.Receive(destination, out error);
        if (error == SocketError.Success && received > 0)
            FirstByte ??= destination[0];
        return received;
    }

    private static NotSupportedException CannotSeek() => new("The bytes of a socket come once and in order: there is no position, and no length.");

    private IOException Broken(SocketError error)
    {
        Error = error;
        return new IOException(error.ToString(), new SocketException((int)error));
    }
}
