using System.Net.Security;

namespace AsyncLog;

/// <summary>The TLS stream of a client; owns the certificates that were read for its connection.</summary>
/// <param name="inner">The stream below.</param>
/// <param name="leaveInnerStreamOpen">Whether the stream below stays open.</param>
/// <param name="options">What <see cref="ClientHandshake.OptionsFor"/> made; for this stream only.</param>
internal sealed class ClientTlsStream(Stream inner, bool leaveInnerStreamOpen, SslClientAuthenticationOptions options) : SslStream(inner, leaveInnerStreamOpen)
{
    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync().ConfigureAwait(false);
        ClientHandshake.Release(options);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        if (disposing)
            ClientHandshake.Release(options);
    }
}
