using System.Diagnostics.Metrics;
using System.Net;

namespace AsyncLog;

/// <summary>Makes the HTTP handler of one sink: neither traced nor logged, no redirects, no cookies, no proxy unless asked for.</summary>
internal static class ExportHandler
{
    /// <param name="settings">The way.</param>
    /// <param name="link">Gives each connection the worker's execution context, and hears of it.</param>
    /// <param name="voice">Hears of every connection; null: nobody does.</param>
    public static HttpMessageHandler Create(OtlpTransportSettings settings, ExportLink link, IExportVoice? voice = null)
    {
        var dialer = new ExportDialer(settings, link, voice);
        var handler = new SocketsHttpHandler
        {
            // No spans and no trace headers of the way that carries them.
            ActivityHeadersPropagator = null,

            // No numbers among the application's own http.client.*.
            MeterFactory = UnheardMeters.Instance,
            AllowAutoRedirect = false,
            AutomaticDecompression = DecompressionMethods.None,
            UseCookies = false,
            UseProxy = settings.UseProxy,

            // What is longer than we read is not worth a connection.
            MaxResponseDrainSize = 0,

            PooledConnectionLifetime = ExportLink.Lifetime,
            ConnectTimeout = settings.Timeout > TimeSpan.Zero ? settings.Timeout : Timeout.InfiniteTimeSpan,
            ConnectCallback = (connection, cancellationToken) => Under(link.Context, () => dialer.DialAsync(connection.DnsEndPoint, cancellationToken)),
        };
        if (settings.UseProxy && settings.IsSecure)
            handler.SslOptions = dialer.HandshakeOptions();
        return handler;
    }

    // A meter of another name than the handler asks for: listeners select meters by name.
    private sealed class UnheardMeters : IMeterFactory
    {
        public static readonly UnheardMeters Instance = new();
        private readonly Meter _meter = new("AsyncLog.Otlp.Transport");

        public Meter Create(MeterOptions options) => _meter;

        public void Dispose() => _meter.Dispose();
    }

    // The handler connects on a thread without our context: what a name lookup or a handshake logs has to be known as ours.
    private static ValueTask<Stream> Under(ExecutionContext? context, Func<ValueTask<Stream>> dial)
    {
        if (context is null)
            return dial();
        ValueTask<Stream> stream = default;
        ExecutionContext.Run(context, _ => stream = dial(), null);
        return stream;
    }
}
