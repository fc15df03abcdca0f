using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Integration;

/// <summary>The records of HttpClientFactory, which has secrets in the state of its records.</summary>
public sealed class HttpHeadersTests : IDisposable
{
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("Json")]
    [InlineData("Clef")]
    [InlineData("Text")]
    public async Task A_header_that_HttpClientFactory_redacts_is_in_no_record(string format)
    {
        await using var server = WebApplication.CreateSlimBuilder().Build();
        server.Urls.Add("http://127.0.0.1:0");
        server.MapGet("/", static () => "hello");
        await server.StartAsync(TestContext.Current.CancellationToken);
        string address = server.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single();
        string path = _folder.File($"{format}.log");
        var services = new ServiceCollection();
        services.AddHttpClient("shop");
        services.AddLogging(logging => logging.SetMinimumLevel(LogLevel.Trace).AddAsyncFile(options =>
        {
            options.Path = path;
            options.RollingInterval = RollingInterval.None;
            options.Format = format;
            options.Template = format == "Text" ? "{Message} {Properties}{NewLine}" : null;
        }));
        await using (ServiceProvider provider = services.BuildServiceProvider())
        {
            using HttpClient client = provider.GetRequiredService<IHttpClientFactory>().CreateClient("shop");
            using var request = new HttpRequestMessage(HttpMethod.Get, address);
            request.Headers.TryAddWithoutValidation("Authorization", "Bearer s3cret");
            using HttpResponseMessage response = await client.SendAsync(request, TestContext.Current.CancellationToken);
            Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        }

        string written = await File.ReadAllTextAsync(path, TestContext.Current.CancellationToken);
        Assert.Contains("Authorization: *", written, StringComparison.Ordinal);
        Assert.DoesNotContain("s3cret", written, StringComparison.Ordinal);
    }
}
