namespace AsyncLog;

/// <summary>What the options say about the way to the receiver; immutable.</summary>
internal sealed record TransportSettings
{
    /// <summary>The scheme of the endpoint.</summary>
    public string Scheme { get; init; } = SyslogEndpoint.Udp;

    /// <summary>The endpoint as it is told: scheme, host and port or path.</summary>
    public required string Target { get; init; }

    /// <summary>A name or an address.</summary>
    public string Host { get; init; } = "";

    public int Port { get; init; }

    /// <summary>The path of a local socket.</summary>
    public string Path { get; init; } = "";

    /// <summary>How a numbered record is framed; others come framed.</summary>
    public FrameKind Frame { get; init; }

    /// <summary>Whether records wait for their number.</summary>
    public bool IsNumbered { get; init; }

    public int MaxMessageBytes { get; init; } = 2048;

    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    public TimeSpan HandshakeTimeout { get; init; } = TimeSpan.FromSeconds(10);

    public TimeSpan SendTimeout { get; init; } = TimeSpan.FromSeconds(1);

    public TimeSpan ReconnectDelay { get; init; } = TimeSpan.FromMilliseconds(500);

    public TimeSpan? KeepAlive { get; init; }

    public TimeSpan? UserTimeout { get; init; }

    public TimeSpan DnsRefresh { get; init; } = TimeSpan.FromSeconds(60);

    public bool IsConnected { get; init; }

    public int? MaxDatagramsPerSecond { get; init; }

    public bool ResendsAcknowledged { get; init; }

    public TlsClientOptions Tls { get; init; } = new();
}
