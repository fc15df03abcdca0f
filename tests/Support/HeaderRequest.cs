using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>A request of HttpClientFactory to a listener on the loopback.</summary>
internal static class HeaderRequest
{
    public const string Secret = "s3cret";

    /// <summary>Sends a request with a secret in a header of it and of its answer, through HttpClientFactory and with its logging.</summary>
    public static async Task Send(ILoggerFactory factory)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var answering = Answer(listener);
        await using var services = new ServiceCollection().AddSingleton(factory).AddHttpClient().BuildServiceProvider();
        using var client = services.GetRequiredService<IHttpClientFactory>().CreateClient("shop");
        client.DefaultRequestHeaders.Add("Authorization", $"Bearer {Secret}");
        using var response = await client.GetAsync(new Uri($"http://{listener.LocalEndpoint}/"), TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.NoContent, response.StatusCode);
        Assert.Contains($"Authorization: Bearer {Secret}", await answering, StringComparison.Ordinal);
    }

    // Answers one request; returns it.
    private static async Task<string> Answer(TcpListener listener)
    {
        using var client = await listener.AcceptTcpClientAsync(TestContext.Current.CancellationToken);
        var stream = client.GetStream();
        var request = new StringBuilder();
        var buffer = new byte[4096];
        while (!request.ToString().Contains("\r\n\r\n", StringComparison.Ordinal))
            request.Append(Encoding.ASCII.GetString(buffer, 0, await stream.ReadAsync(buffer, TestContext.Current.CancellationToken)));
        await stream.WriteAsync(Encoding.ASCII.GetBytes($"HTTP/1.1 204 No Content\r\nSet-Cookie: id={Secret}\r\nConnection: close\r\n\r\n"), TestContext.Current.CancellationToken);
        return request.ToString();
    }
}
