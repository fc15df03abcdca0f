namespace AsyncLog;

/// <summary>Counts the connections of one sink, and writes their events. Any thread.</summary>
internal sealed class ConnectionMetrics
{
    private const string TransportTag = "network.transport";
    private const string ErrorTag = "error.type";
    private readonly SinkInstrument _opened;
    private readonly SinkEvents _events;
    private readonly KeyValuePair<string, string> _transport;

    /// <param name="transport">OpenTelemetry's name of the transport: <c>tcp</c>, <c>udp</c>, <c>unix</c>.</param>
    public ConnectionMetrics(SinkContext context, string transport)
    {
        _events = context.Events;
        _transport = new(TransportTag, transport);
        _opened = context.CreateInstrument(
            "asynclog.connection.opened", SinkInstrumentKind.Counter, "{connection}", "Connections made, and with error.type those that could not be made.");
        _opened.Add(0, _transport);
    }

    /// <summary>A connection was made.</summary>
    public void Connected(string endpoint, string tlsProtocol)
    {
        _opened.Add(1, _transport);
        _events.Connected(endpoint, tlsProtocol);
    }

    /// <summary>It could not be made.</summary>
    public void Failed(string endpoint, LogSinkException exception)
    {
        _opened.Add(1, _transport, new(ErrorTag, exception.ErrorType));
        if (exception.ErrorType == SocketErrorClass.Tls)
            _events.TlsFailed(endpoint, exception.Message);
        else
            _events.ConnectionLost(endpoint, exception.ErrorType);
    }

    /// <summary>It ended.</summary>
    public void Lost(string endpoint, string errorType) => _events.ConnectionLost(endpoint, errorType);
}
