using System.Net.Sockets;

namespace AsyncLog;

/// <summary>What the worker and the handler's connecting threads share: the worker's execution context on the way out, the connection on the way back.</summary>
internal sealed class ExportLink
{
    /// <summary>The longest life of a connection: other addresses of the name, and renewed certificate files, are noticed on one that never breaks.</summary>
    public static readonly TimeSpan Lifetime = TimeSpan.FromMinutes(10);

    // The handler judges the age by a clock of its own, a little later.
    private static readonly TimeSpan LifetimeMargin = TimeSpan.FromSeconds(1);
    private volatile ExecutionContext? _context;
    private volatile Connection? _connection;

    /// <summary>The execution context of the worker, with its mark against loops.</summary>
    public ExecutionContext? Context
    {
        get => _context;
        set => _context = value;
    }

    /// <summary>A connection was made. Any thread.</summary>
    public void Connected(Socket socket) => _connection = new Connection(socket, TimeProvider.System.GetTimestamp());

    /// <summary>Whether a request would find an open connection, so that the handler needs no thread of the pool to make one. Worker only.</summary>
    /// <param name="timeout">The limit of a request: a read or write of it takes no longer, even where no timer fires. Zero: none.</param>
    public bool IsOpen(TimeSpan timeout)
    {
        if (_connection is not { } connection || TimeProvider.System.GetElapsedTime(connection.Since) > Lifetime - LifetimeMargin)
            return false;
        try
        {
            // Readable without a request is closed by the server, or broken.
            if (!connection.Socket.Connected || connection.Socket.Poll(0, SelectMode.SelectRead))
                return false;
            int milliseconds = (int)Math.Min(Math.Ceiling(timeout.TotalMilliseconds), int.MaxValue);
            if (connection.Milliseconds != milliseconds)
                connection.Socket.SendTimeout = connection.Socket.ReceiveTimeout = connection.Milliseconds = milliseconds;
            return true;
        }
        catch (Exception exception) when (exception is ObjectDisposedException or SocketException)
        {
            // The handler closed it: the request makes another one, and a failure of that is reported.
            return false;
        }
    }

    private sealed record Connection(Socket Socket, long Since)
    {
        public int Milliseconds { get; set; }
    }
}
