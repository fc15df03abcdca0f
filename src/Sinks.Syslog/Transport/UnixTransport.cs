using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Sends to a Unix domain socket such as <c>/dev/log</c>: as datagrams, or as lines where the receiver's socket is a stream.</summary>
internal sealed class UnixTransport(AsyncSyslogLoggerOptions options, SequenceCounter sequence, BoundedWait wait, SinkContext context) : ISyslogTransport
{
    private readonly SyslogEndpoint _endpoint = new(options.Endpoint!);
    private readonly ConnectionMetrics _connections = new(context, SyslogEndpoint.Unix);
    private AsyncSyslogLoggerOptions _options = options;
    private ISyslogTransport? _inner;

    public DateTimeOffset? NextDue => _inner?.NextDue;

    public void Open(CancellationToken cancellationToken) => Attempt(static (inner, _, token) => inner.Open(token), null, cancellationToken);

    public void Write(LogBatch batch, CancellationToken cancellationToken)
        => Attempt(static (inner, records, token) => inner.Write(records!, token), batch, cancellationToken);

    public void RunDue(CancellationToken cancellationToken) => Attempt(static (inner, _, token) => inner.RunDue(token), null, cancellationToken);

    public void Apply(AsyncSyslogLoggerOptions options)
    {
        _options = options;
        _inner?.Apply(options);
    }

    public void End(CancellationToken cancellationToken) => _inner?.End(cancellationToken);

    public void Dispose()
    {
        _inner?.Dispose();
        _inner = null;
    }

    // A receiver that restarts may bind another kind of socket. So each failure opens the socket again, unless the receiver is only slow.
    private void Attempt(Action<ISyslogTransport, LogBatch?, CancellationToken> action, LogBatch? batch, CancellationToken cancellationToken)
    {
        try
        {
            action(_inner ??= Connect(), batch, cancellationToken);
        }
        catch (LogSinkException) when (_inner is not UnixDatagramTransport { IsOpen: true })
        {
            Dispose();
            throw;
        }
    }

    private ISyslogTransport Connect()
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified) { Blocking = false };
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(_endpoint.Path));
        }
        catch (SocketException exception)
        {
            socket.Dispose();
            if (exception.SocketErrorCode == SocketError.ProtocolType)
                return new StreamTransport(_options, new StreamDialer(_options, wait).Connect, sequence, wait, context);
            LogSinkException failure = SocketErrorClass.ToException(exception.SocketErrorCode, $"cannot open {_endpoint}, where the local syslog daemon should listen");
            _connections.Failed(_endpoint.ToString(), failure);
            throw failure;
        }

        _connections.Connected(_endpoint.ToString(), tlsProtocol: "");
        return new UnixDatagramTransport(_options, new DatagramSocket(socket, wait), sequence, wait, context);
    }
}

/// <summary>Sends datagrams to a Unix domain socket. The socket is connected, because only then the system reports when the receiver's queue has room.</summary>
/// <param name="socket">Connected; owned. After a failure <see cref="UnixTransport"/> opens another one.</param>
internal sealed class UnixDatagramTransport(
    AsyncSyslogLoggerOptions options, DatagramSocket socket, SequenceCounter sequence, BoundedWait wait, SinkContext context)
    : DatagramTransport(options, sequence, wait, context)
{
    public override DateTimeOffset? NextDue => null;

    /// <summary>False after a failure that needs another socket.</summary>
    public bool IsOpen { get; private set; } = true;

    protected override bool IsLocal => true;

    protected override IDatagramSocket Ready(CancellationToken cancellationToken) => socket;

    /// <inheritdoc/>
    /// <remarks>An error about the peer means that it is gone; its records wait for its return.</remarks>
    protected override SendErrorAction ActionFor(SocketError error) => error switch
    {
        SocketError.WouldBlock => SendErrorAction.WaitForRoom,
        SocketError.NoBufferSpaceAvailable => SendErrorAction.WaitBriefly,
        SocketError.MessageSize => SendErrorAction.Truncate,
        SocketError.ConnectionRefused or SocketError.ConnectionReset or SocketError.NotConnected or SocketError.AddressNotAvailable
            or SocketError.Shutdown => SendErrorAction.Wait,
        SocketError.AccessDenied => SendErrorAction.Drop,
        _ => SendErrorAction.DropAndReopen,
    };

    protected override void CloseSocket()
    {
        IsOpen = false;
        socket.Dispose();
    }
}
