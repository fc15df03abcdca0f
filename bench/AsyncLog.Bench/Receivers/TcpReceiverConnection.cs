using System.Net.Sockets;

namespace AsyncLog.Bench;

/// <summary>One connection of a receiver, read by a thread of its own.</summary>
internal sealed class TcpReceiverConnection(Socket socket, ReceiverKind kind) : IDisposable
{
    private static readonly TimeSpan TimePerRecord = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan Life = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Breath = TimeSpan.FromMilliseconds(10);

    private readonly FrameCounter _frames = new();
    private volatile string? _problem;
    private long _records;
    private Timer? _end;

    /// <summary>Records that came whole.</summary>
    public long Records => _problem is { } problem ? throw new InvalidOperationException(problem) : Interlocked.Read(ref _records);

    public void Start()
    {
        if (kind == ReceiverKind.Resetting)
            _end = new Timer(static connection => ((TcpReceiverConnection)connection!).Dispose(), this, Life, Timeout.InfiniteTimeSpan);
        if (kind == ReceiverKind.Talking)
            Begin(Talk);
        if (kind != ReceiverKind.Stalled)
            Begin(Read);
    }

    /// <summary>Resets it: an end without a goodbye.</summary>
    public void Dispose()
    {
        _end?.Dispose();
        if (socket.SafeHandle.IsClosed)
            return;
        socket.LingerState = new LingerOption(true, 0);
        socket.Dispose();
    }

    private static void Begin(Action action) => new Thread(() => Guard(action)) { IsBackground = true, Name = "receiver connection" }.Start();

    private static void Guard(Action action)
    {
        try
        {
            action();
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // the connection is over
        }
    }

    private void Read()
    {
        var buffer = new byte[kind == ReceiverKind.Slow ? 1 << 10 : 64 << 10];
        for (int received; (received = socket.Receive(buffer)) > 0;)
        {
            var before = _frames.Count;
            if (!TryCount(buffer.AsSpan(0, received)))
                break;
            if (kind == ReceiverKind.Slow && _frames.Count > before)
                Thread.Sleep(TimePerRecord * (_frames.Count - before));
        }

        socket.Dispose();
    }

    private bool TryCount(ReadOnlySpan<byte> bytes)
    {
        try
        {
            _frames.Add(bytes);
            Interlocked.Exchange(ref _records, _frames.Count);
            return true;
        }
        catch (InvalidOperationException exception)
        {
            // Thrown when the number is read.
            _problem = exception.Message;
            return false;
        }
    }

    private void Talk()
    {
        var garbage = new byte[4 << 10];
        new Random(1).NextBytes(garbage);
        while (true)
        {
            socket.Send(garbage);
            Thread.Sleep(Breath);
        }
    }
}
