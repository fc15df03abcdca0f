using System.Net.Sockets;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Actions for a datagram that the system did not accept.</summary>
internal enum SendErrorAction
{
    /// <summary>It is dropped; the next one has the same chance.</summary>
    Drop,

    /// <summary>Wait until the socket takes datagrams, then retry.</summary>
    WaitForRoom,

    /// <summary>Wait 10 ms, then retry once.</summary>
    WaitBriefly,

    /// <summary>Retry at once: the refusal was about an earlier datagram.</summary>
    SendAgain,

    /// <summary>Truncate it, then retry once.</summary>
    Truncate,

    /// <summary>It is dropped, and the receiver's name is resolved again.</summary>
    DropAndResolve,

    /// <summary>It is dropped, and the next one gets a new socket after a pause.</summary>
    DropAndReopen,

    /// <summary>It waits: the receiver is away.</summary>
    Wait,
}

/// <summary>Sends each record as one datagram. A refused datagram is retried once where that helps, else dropped and counted.</summary>
internal abstract class DatagramTransport : ISyslogTransport
{
    // Sends between two checks of addresses and socket: less than a millisecond.
    private const int SendsPerCheck = 64;

    private static readonly TimeSpan BriefPause = TimeSpan.FromMilliseconds(10);

    // Equal to the time for which repeated reports are suppressed. A receiver that fails now and then is one episode.
    private static readonly TimeSpan QuietTime = TimeSpan.FromMinutes(1);

    private readonly SequenceCounter _sequence;
    private readonly List<string> _failing = [];
    private DatagramTruncation _truncation;
    private byte[] _numbered = [];
    private long _lastFailureAt;

    protected DatagramTransport(AsyncSyslogLoggerOptions options, SequenceCounter sequence, BoundedWait wait, SinkContext context)
    {
        Options = options;
        Endpoint = new SyslogEndpoint(options.Endpoint!);
        Clock = wait;
        Context = context;
        Connections = new ConnectionMetrics(context, Endpoint.Transport);
        _truncation = new DatagramTruncation(SyslogLayout.From(options));
        _sequence = sequence;
    }

    public abstract DateTimeOffset? NextDue { get; }

    /// <summary>The options in force.</summary>
    protected AsyncSyslogLoggerOptions Options { get; private set; }

    protected SyslogEndpoint Endpoint { get; }

    protected BoundedWait Clock { get; }

    protected SinkContext Context { get; }

    protected ConnectionMetrics Connections { get; }

    /// <summary>True if the receiver is on this machine: records wait for one that is slow or away. Over a network they are dropped.</summary>
    protected abstract bool IsLocal { get; }

    public void Open(CancellationToken cancellationToken) => Ready(cancellationToken);

    public void Write(LogBatch batch, CancellationToken cancellationToken)
    {
        IDatagramSocket? socket = null;
        for (int sends = 0; batch.Count > 0; sends++)
        {
            if (cancellationToken.IsCancellationRequested)
                throw new LogSinkException(SocketErrorClass.Timeout, "ShutdownTimeout is over");
            if (socket is null || sends % SendsPerCheck == 0)
                socket = Ready(cancellationToken);
            ReadOnlySpan<byte> record = batch[0].Bytes.Span;
            ReadOnlySpan<byte> datagram = Options.SequenceId ? Number(record) : record;
            if (datagram.IsEmpty)
            {
                batch.Refuse(0, DropReason.EncodeFailed);
                continue;
            }

            SocketError error = socket.Send(datagram);
            bool isSent = error == SocketError.Success;
            if (isSent || Retry(socket, datagram, ref error, cancellationToken))
                batch.Advance(record.Length);
            else
                GiveUp(batch, error);
            _sequence.Advance(1);
            // A failure may have closed the socket, and taken time.
            if (!isSent)
                socket = null;
        }

        ResolveFailures();
    }

    public void RunDue(CancellationToken cancellationToken) => Ready(cancellationToken);

    public void Apply(AsyncSyslogLoggerOptions options) => (Options, _truncation) = (options, new DatagramTruncation(SyslogLayout.From(options)));

    public void End(CancellationToken cancellationToken)
    {
        // a datagram that the system accepted is on its way
    }

    public void Dispose() => CloseSocket();

    /// <summary>The socket to send through.</summary>
    /// <exception cref="LogSinkException">The receiver cannot be reached now.</exception>
    protected abstract IDatagramSocket Ready(CancellationToken cancellationToken);

    /// <summary>Returns the action for a failed send.</summary>
    protected abstract SendErrorAction ActionFor(SocketError error);

    /// <summary>The receiver's system refused a datagram: the socket to send it through once more, to the next address where there is one.</summary>
    /// <returns>Null: each address was tried.</returns>
    protected virtual IDatagramSocket? NextAddressAfterRefusal(int refusals) => null;

    /// <summary>The receiver's address is unreachable: resolves its name again.</summary>
    protected virtual void ResolveAgain()
    {
        // a path is not resolved
    }

    /// <summary>Closes the socket; <see cref="Ready"/> opens another one.</summary>
    protected abstract void CloseSocket();

    private ReadOnlySpan<byte> Number(ReadOnlySpan<byte> record)
    {
        int room = RecordFraming.RoomFor(record.Length);
        if (_numbered.Length < room)
            _numbered = new byte[Math.Max(room, SyslogDefaults.MaxMessageSizeOf(Options) + RecordFraming.MaxNumberBytes)];
        return _numbered.AsSpan(0, RecordFraming.WriteNumbered(record, _sequence.Next, FrameKind.None, _numbered));
    }

    // Tries each remedy and each address once. A datagram that still fails is dropped with the last error.
    private bool Retry(IDatagramSocket socket, ReadOnlySpan<byte> datagram, ref SocketError error, CancellationToken cancellationToken)
    {
        int tried = 0;
        int refusals = 0;
        int whole = datagram.Length;
        int maxMessageBytes = SyslogDefaults.MaxMessageSizeOf(Options);
        bool wasTruncated = DatagramTruncation.IsTruncated(datagram, maxMessageBytes);
        int droppedParameters = 0;
        while (ActionFor(error) is var action && action is >= SendErrorAction.WaitForRoom and <= SendErrorAction.Truncate && (tried & (1 << (int)action)) == 0)
        {
            if (action != SendErrorAction.SendAgain)
                tried |= 1 << (int)action;
            else if (NextAddressAfterRefusal(++refusals) is { } next)
                socket = next;
            else
                return false;
            if (action is SendErrorAction.WaitBriefly or SendErrorAction.Truncate)
                Context.CountError(SocketErrorClass.Of(error));
            else if (action == SendErrorAction.SendAgain && !IsLocal)
                ReportFailure(error, "Earlier records may be lost.");
            if (action == SendErrorAction.Truncate)
                datagram = _truncation.Truncate(datagram, maxMessageBytes, out droppedParameters);
            if (datagram.IsEmpty)
                return false;
            if (action == SendErrorAction.WaitBriefly)
                Clock.Pause(BriefPause, cancellationToken);
            error = action == SendErrorAction.WaitForRoom ? SendWhenWritable(socket, datagram, cancellationToken) : socket.Send(datagram);
            if (error != SocketError.Success)
                continue;
            if (datagram.Length < whole)
                CountTruncation(wasTruncated, droppedParameters);
            return true;
        }

        return false;
    }

    private void CountTruncation(bool wasTruncated, int droppedParameters)
    {
        if (!wasTruncated)
            Context.CountTruncated();
        if (droppedParameters > 0)
            Context.CountLeftOut(droppedParameters);
    }

    private SocketError SendWhenWritable(IDatagramSocket socket, ReadOnlySpan<byte> datagram, CancellationToken cancellationToken)
    {
        long began = Clock.Now;
        TimeSpan limit = SyslogDefaults.SendTimeoutOf(Options);
        while (limit - Clock.Since(began) is var left && left > TimeSpan.Zero && socket.WaitWritable(left, cancellationToken))
        {
            SocketError error = socket.Send(datagram);
            if (error != SocketError.WouldBlock)
                return error;
        }

        return SocketError.WouldBlock;
    }

    private void GiveUp(LogBatch batch, SocketError error)
    {
        SendErrorAction action = ActionFor(error);
        if (action == SendErrorAction.Wait || (IsLocal && action is SendErrorAction.WaitForRoom or SendErrorAction.WaitBriefly or SendErrorAction.SendAgain))
        {
            // A receiver that is only slow keeps its socket.
            if (action == SendErrorAction.Wait)
                CloseSocket();
            throw SocketErrorClass.ToException(error, $"cannot send to {Endpoint}{CauseOf(error)}");
        }

        if (action == SendErrorAction.DropAndReopen)
        {
            batch.Refuse(0, DropReason.WriteFailed);
            _sequence.Advance(1);
            CloseSocket();
            throw SocketErrorClass.ToException(error, $"cannot send a record to {Endpoint}, it is dropped");
        }

        ReportFailure(error, "The record is dropped.");
        batch.Refuse(0, action == SendErrorAction.Truncate ? DropReason.Oversize : DropReason.WriteFailed);
        if (action == SendErrorAction.DropAndResolve)
            ResolveAgain();
    }

    // Each class of errors is reported once per episode.
    private void ReportFailure(SocketError error, string outcome)
    {
        string errorType = SocketErrorClass.Of(error);
        string text = $"cannot send to {Endpoint}{CauseOf(error)}";
        Context.CountError(errorType, text);
        Context.Report(LogLevel.Warning, ConditionOf(errorType), $"{text} ({errorType}). {outcome}");
        if (!_failing.Contains(errorType))
            _failing.Add(errorType);
        _lastFailureAt = Clock.Now;
    }

    private void ResolveFailures()
    {
        if (_failing.Count == 0 || Clock.Since(_lastFailureAt) < QuietTime)
            return;
        foreach (string errorType in _failing)
            Context.ReportRecovery(ConditionOf(errorType), $"{Endpoint} accepts records again.");
        _failing.Clear();
    }

    private static string CauseOf(SocketError error) => error switch
    {
        SocketError.ConnectionRefused => ", where no receiver listens",
        SocketError.NetworkUnreachable or SocketError.HostUnreachable => ", to which this machine has no route",
        SocketError.AccessDenied => ": a firewall or a security policy of this machine forbids it",
        _ => "",
    };

    private static string ConditionOf(string errorType) => "send " + errorType;
}
