namespace AsyncLog.Tests.Transport.Stream;

/// <summary>Makes stream transports to receivers on this machine.</summary>
internal static class Streams
{
    public static AsyncSyslogLoggerOptions Tcp(int port, string host = "127.0.0.1", Action<AsyncSyslogLoggerOptions>? change = null)
    {
        var options = new AsyncSyslogLoggerOptions
        {
            Endpoint = new Uri(FormattableString.Invariant($"tcp://{host}:{port}")),
            ReconnectDelay = TimeSpan.FromMilliseconds(20),
            KeepAlive = TimeSpan.FromSeconds(30),
        };
        change?.Invoke(options);
        return options;
    }

    public static StreamTransport Transport(AsyncSyslogLoggerOptions options, SinkContext context, NetworkDialer? dialer = null)
    {
        var clock = new BoundedWait(TimeProvider.System);
        return new StreamTransport(options, new StreamDialer(options, clock, dialer).Connect, new SequenceCounter(), clock, context, static () => 1);
    }
}
