using System.Net;
using System.Security.Claims;
using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Dashboard;

public sealed class ExposureTests
{
    private static readonly string[] Paths = ["", "/status", "/history", "/metrics"];

    [Fact]
    public async Task In_Development_everybody_may_see_it()
    {
        await using var app = await TestApp.Start(OneSink);
        Assert.All(await Ask(app, "/asynclog"), static code => Assert.Equal(HttpStatusCode.OK, code));
    }

    [Theory]
    [InlineData("Production")]
    [InlineData("Staging")]
    public async Task OB_82_Outside_Development_nobody_may_see_it_until_the_application_says_who(string environment)
    {
        await using var app = await TestApp.Start(OneSink, environment: environment);
        Assert.All(await Ask(app, "/asynclog"), static code => Assert.Equal(HttpStatusCode.NotFound, code));
    }

    [Fact]
    public async Task What_is_opened_to_all_is_seen_by_all()
    {
        await using var app = await TestApp.Start(OneSink, static web => web.MapAsyncLog().AllowAnonymous(), "Production");
        Assert.All(await Ask(app, "/asynclog"), static code => Assert.Equal(HttpStatusCode.OK, code));
    }

    [Fact]
    public async Task With_authorization_only_those_who_are_let_in_see_it()
    {
        await using var app = await TestApp.Start(
            OneSink,
            static web =>
            {
                web.UseAuthentication();
                web.UseAuthorization();
                web.MapAsyncLog().RequireAuthorization();
            },
            "Production",
            static services =>
            {
                services.AddAuthorization();
                services.AddAuthentication("Key").AddScheme<AuthenticationSchemeOptions, KeyHandler>("Key", null);
            });
        Assert.All(await Ask(app, "/asynclog"), static code => Assert.Equal(HttpStatusCode.Unauthorized, code));
        Assert.All(await Ask(app, "/asynclog", key: "operator"), static code => Assert.Equal(HttpStatusCode.OK, code));
    }

    [Theory]
    [InlineData("/ops/logging")]
    [InlineData("ops/logging/")]
    public async Task The_prefix_decides_where_it_is(string prefix)
    {
        await using var app = await TestApp.Start(OneSink, web => web.MapAsyncLog(prefix));
        Assert.All(await Ask(app, "/ops/logging"), static code => Assert.Equal(HttpStatusCode.OK, code));
        Assert.All(await Ask(app, "/asynclog"), static code => Assert.Equal(HttpStatusCode.NotFound, code));
    }

    [Fact]
    public async Task Without_a_sink_mapping_says_what_is_missing()
    {
        var problem = await Assert.ThrowsAsync<InvalidOperationException>(() => TestApp.Start(static _ => { }));
        Assert.Contains("AddAsyncFile()", problem.Message, StringComparison.Ordinal);
    }

    private static void OneSink(ILoggingBuilder logging) => logging.AddMoody("one", new Mood());

    private static async Task<IReadOnlyList<HttpStatusCode>> Ask(TestApp app, string prefix, string? key = null)
    {
        using var client = app.Client();
        if (key is not null)
            client.DefaultRequestHeaders.Add("X-Key", key);
        var codes = new List<HttpStatusCode>();
        foreach (var path in Paths)
        {
            using var answer = await client.GetAsync(prefix + path, TestContext.Current.CancellationToken);
            codes.Add(answer.StatusCode);
        }

        return codes;
    }

    private sealed class KeyHandler(IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory loggers, UrlEncoder encoder)
        : AuthenticationHandler<AuthenticationSchemeOptions>(options, loggers, encoder)
    {
        protected override Task<AuthenticateResult> HandleAuthenticateAsync()
            => Task.FromResult(
                Request.Headers["X-Key"] == "operator"
                    ? AuthenticateResult.Success(new AuthenticationTicket(new ClaimsPrincipal(new ClaimsIdentity("Key")), "Key"))
                    : AuthenticateResult.NoResult());
    }
}
