namespace AsyncLog.Tests.Transport.Stream;

/// <summary>Makes stream transports to receivers on this machine.</summary>
internal static class Streams
{
    public static TransportSettings Tcp(int port, string host = "127.0.0.1") => new()
    {
        Scheme = SyslogEndpoint.Tcp,
        Target = FormattableString.Invariant($"tcp://{host}:{port}"),
        Host = host,
        Port = port,
        Frame = FrameKind.OctetCounting,
        SendTimeout = TimeSpan.FromSeconds(30),
        ReconnectDelay = TimeSpan.FromMilliseconds(20),
        UserTimeout = TimeSpan.FromSeconds(20),
        KeepAlive = TimeSpan.FromSeconds(30),
    };

    public static StreamTransport Transport(
        TransportSettings settings, ITransportVoice voice, TimeProvider? time = null, NameLookup? lookup = null, int copyBytes = 1 << 20, SequenceCounter? sequence = null)
    {
        var clock = new TransportClock(time ?? TimeProvider.System);
        var dialer = new TcpDialer(new SocketDialer(lookup ?? new NameLookup(settings.Host, clock), clock));
        var sent = new SentRecords(copyBytes, settings.ResendsAcknowledged);
        return new StreamTransport(settings, new StreamLink(dialer, sent, clock, voice, static () => 1), sequence ?? new SequenceCounter(), voice);
    }
}
