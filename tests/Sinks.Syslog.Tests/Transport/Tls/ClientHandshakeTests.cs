using System.Security.Authentication;

namespace AsyncLog.Tests.Transport.Tls;

public sealed class ClientHandshakeTests
{
    [Fact]
    public void S22_SY_58_A_version_before_TLS_1_2_is_refused_also_where_the_system_takes_it()
    {
#pragma warning disable SYSLIB0039 // What is too old is the point.
        var refusal = Assert.Throws<AuthenticationException>(static () => ClientHandshake.RequireModern(SslProtocols.Tls11));
#pragma warning restore SYSLIB0039
        Assert.Contains("Tls11", refusal.Message, StringComparison.Ordinal);
        ClientHandshake.RequireModern(SslProtocols.Tls12);
        ClientHandshake.RequireModern(SslProtocols.Tls13);
    }
}
