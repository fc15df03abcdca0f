using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Security.Claims;
using System.Text.Encodings.Web;
using AsyncLog.Tests.Support;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Page;

public sealed class ExposureTests
{
    private const string Hidden
        = "answers 404 in environment Production: MapAsyncLog().RequireAuthorization(), or MapAsyncLog(port: 9090) for a port of its own, opens it";

    private static readonly string[] Paths = ["", "/status", "/history", "/metrics"];

    [Theory]
    [InlineData("localhost", true)]
    [InlineData("LOCALHOST:5000", true)]
    [InlineData("shop.localhost:5000", true)]
    [InlineData("127.0.0.1:5000", true)]
    [InlineData("192.168.1.7", true)]
    [InlineData("[::1]:5000", true)]
    [InlineData("evil.example", false)]
    [InlineData("evil.example:5000", false)]
    [InlineData("127.0.0.1.evil.example", false)]
    [InlineData("evillocalhost", false)]
    [InlineData("", false)]
    public async Task In_Development_it_answers_to_localhost_and_addresses_and_to_no_name(string host, bool isAnswered)
    {
        await using var app = await TestApp.Start(OneSink);
        foreach (var path in Paths)
        {
            var context = await app.Send(request => (request.Request.Host, request.Request.Path) = (new HostString(host), "/asynclog" + path));
            Assert.Equal(isAnswered ? StatusCodes.Status200OK : StatusCodes.Status404NotFound, context.Response.StatusCode);
        }
    }

    [Fact]
    public async Task In_Development_a_name_that_is_refused_is_told_once_and_consent_opens_the_page_to_names()
    {
        var lines = new ConcurrentQueue<string>();
        await using var app = await TestApp.Start(logging => Heard(logging, lines), static web =>
        {
            web.MapAsyncLog();
            web.MapAsyncLog("/open").AllowAnonymous();
        });
        foreach (var (path, code) in ((string, int)[])[("/asynclog", 404), ("/asynclog/status", 404), ("/open", 200)])
        {
            var context = await app.Send(request => (request.Request.Host, request.Request.Path) = (new HostString("shop.example:80"), path));
            Assert.Equal(code, context.Response.StatusCode);
        }

        Assert.Equal(
            "Warning live page /asynclog answers 404 to the Host 'shop.example': in Development it answers to localhost and to IP addresses. "
            + "MapAsyncLog().AllowAnonymous(), or MapAsyncLog(port: 9090) for a port of its own, opens it to names",
            Assert.Single(PageLines(lines)));
    }

    [Fact]
    public async Task A_port_that_no_listener_has_is_told_at_start()
    {
        var lines = new ConcurrentQueue<string>();
        var port = Ports.Free();
        await using var app = await TestApp.Listen(logging => Heard(logging, lines), web => web.MapAsyncLog(port: port));
        Assert.Equal(
            $"Warning live page /asynclog/ answers 404: MapAsyncLog(port: {port}) answers on that port only, and the application does not listen there, only on {app.Address.ToString().TrimEnd('/')}. Add it to ASPNETCORE_URLS",
            Assert.Single(PageLines(lines)));
    }

    [Fact]
    public async Task A_port_that_a_listener_has_needs_no_line()
    {
        var lines = new ConcurrentQueue<string>();
        var port = Ports.Free();
        await using var app = await TestApp.Listen(logging => Heard(logging, lines), web =>
        {
            web.Urls.Add($"http://127.0.0.1:{port}");
            web.MapAsyncLog(port: port);
        });
        Assert.Empty(PageLines(lines));
    }

    [Theory]
    [InlineData("Production")]
    [InlineData("Staging")]
    public async Task Outside_Development_nobody_may_see_it_until_the_application_says_who(string environment)
    {
        await using var app = await TestApp.Start(OneSink, environment: environment);
        Assert.Equal([HttpStatusCode.NotFound], (await Ask(app, "/asynclog")).Distinct());
    }

    [Theory]
    [InlineData("GET")]
    [InlineData("HEAD")]
    [InlineData("POST")]
    [InlineData("OPTIONS")]
    [InlineData("DELETE")]
    public async Task Where_it_is_hidden_it_answers_each_method_as_an_address_that_does_not_exist(string method)
    {
        await using var closed = await TestApp.Start(OneSink, environment: "Production");
        await using var elsewhere = await TestApp.Start(OneSink, static web => web.MapAsyncLog(port: 9090), "Production");
        var unknown = (await closed.Send(request => (request.Request.Method, request.Request.Path) = (method, "/nothing"))).Response;
        Assert.Equal(StatusCodes.Status404NotFound, unknown.StatusCode);
        foreach (var app in (TestApp[])[closed, elsewhere])
        {
            foreach (var path in Paths)
            {
                var answer = (await app.Send(request => (request.Connection.LocalPort, request.Request.Method, request.Request.Path) = (8080, method, "/asynclog" + path))).Response;
                Assert.Equal(StatusCodes.Status404NotFound, answer.StatusCode);
                Assert.Equal(unknown.Headers, answer.Headers);
            }
        }
    }

    [Theory]
    [InlineData("HEAD")]
    [InlineData("POST")]
    [InlineData("PUT")]
    [InlineData("PATCH")]
    [InlineData("DELETE")]
    [InlineData("OPTIONS")]
    public async Task Where_it_is_open_it_answers_other_methods_than_GET_with_405(string method)
    {
        await using var app = await TestApp.Start(OneSink, static web => web.MapAsyncLog().AllowAnonymous(), "Production");
        foreach (var path in Paths)
        {
            var answer = (await app.Send(request => (request.Request.Method, request.Request.Path) = (method, "/asynclog" + path))).Response;
            Assert.Equal((StatusCodes.Status405MethodNotAllowed, "GET"), (answer.StatusCode, answer.Headers.Allow.ToString()));
        }
    }

    [Fact]
    public async Task What_is_opened_to_all_is_seen_by_all()
    {
        await using var app = await TestApp.Start(OneSink, static web => web.MapAsyncLog().AllowAnonymous(), "Production");
        Assert.Equal([HttpStatusCode.OK], (await Ask(app, "/asynclog")).Distinct());
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
        Assert.Equal([HttpStatusCode.Unauthorized], (await Ask(app, "/asynclog")).Distinct());
        Assert.Equal([HttpStatusCode.Unauthorized], (await Ask(app, "/asynclog", key: "guest")).Distinct());
        Assert.Equal([HttpStatusCode.OK], (await Ask(app, "/asynclog", key: "operator")).Distinct());
    }

    [Theory]
    [InlineData("Production")]
    [InlineData("Development")]
    public async Task The_port_is_taken_from_the_connection_and_never_from_the_Host_header(string environment)
    {
        await using var app = await TestApp.Start(OneSink, static web => web.MapAsyncLog(port: 9090), environment);
        foreach (var path in Paths)
        {
            Assert.Equal(StatusCodes.Status200OK, await Code(9090, "x"));
            Assert.Equal(StatusCodes.Status404NotFound, await Code(8080, "x"));
            Assert.Equal(StatusCodes.Status404NotFound, await Code(8080, "x:9090"));
            Assert.Equal(StatusCodes.Status404NotFound, await Code(0, "x:9090"));

            async Task<int> Code(int localPort, string host)
            {
                var context = await app.Send(request => (request.Connection.LocalPort, request.Request.Host, request.Request.Path) = (localPort, new HostString(host), "/asynclog" + path));
                return context.Response.StatusCode;
            }
        }
    }

    [Theory]
    [InlineData("Production")]
    [InlineData("Development")]
    public async Task Of_two_real_listeners_only_the_one_with_the_port_answers(string environment)
    {
        using var operators = Bound();
        using var users = Bound();
        await using var app = await TestApp.Listen(OneSink, web => web.MapAsyncLog(port: PortOf(operators)), environment, operators, users);
        using var client = new HttpClient();
        foreach (var path in Paths)
        {
            Assert.Equal(HttpStatusCode.OK, await Code(operators, hostPort: PortOf(operators)));
            Assert.Equal(HttpStatusCode.OK, await Code(operators, hostPort: PortOf(users)));
            Assert.Equal(HttpStatusCode.NotFound, await Code(users, hostPort: PortOf(users)));
            Assert.Equal(HttpStatusCode.NotFound, await Code(users, hostPort: PortOf(operators)));

            async Task<HttpStatusCode> Code(Socket listener, int hostPort)
            {
                using var request = new HttpRequestMessage(HttpMethod.Get, $"http://127.0.0.1:{PortOf(listener)}/asynclog{path}");
                request.Headers.Host = $"127.0.0.1:{hostPort}";
                using var answer = await client.SendAsync(request, TestContext.Current.CancellationToken);
                return answer.StatusCode;
            }
        }

        static Socket Bound()
        {
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            return socket;
        }

        static int PortOf(Socket socket) => ((IPEndPoint)socket.LocalEndPoint!).Port;
    }

    [Theory]
    [InlineData(0)]
    [InlineData(65536)]
    public async Task A_port_that_is_none_is_refused(int port)
    {
        var exception = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => TestApp.Start(OneSink, web => web.MapAsyncLog(port: port)));
        Assert.Equal(("port", (object)port), (exception.ParamName, exception.ActualValue!));
    }

    [Fact]
    public async Task A_port_and_authorization_are_both_asked_for()
    {
        await using var app = await TestApp.Start(
            OneSink,
            static web =>
            {
                web.UseAuthentication();
                web.UseAuthorization();
                web.MapAsyncLog(port: 9090).RequireAuthorization();
            },
            "Production",
            static services =>
            {
                services.AddAuthorization();
                services.AddAuthentication("Key").AddScheme<AuthenticationSchemeOptions, KeyHandler>("Key", null);
            });
        Assert.Equal(StatusCodes.Status401Unauthorized, await Code(9090, ""));
        Assert.Equal(StatusCodes.Status404NotFound, await Code(8080, "operator"));
        Assert.Equal(StatusCodes.Status200OK, await Code(9090, "operator"));

        async Task<int> Code(int localPort, string key)
        {
            var context = await app.Send(request =>
            {
                (request.Connection.LocalPort, request.Request.Path) = (localPort, "/asynclog/status");
                request.Request.Headers["X-Key"] = key;
            });
            return context.Response.StatusCode;
        }
    }

    [Theory]
    [InlineData("Production", "", "Information live page /asynclog/ " + Hidden)]
    [InlineData("Production", "host", "Information live page /asynclog/ " + Hidden)]
    [InlineData(
        "Production",
        "host, all",
        "Warning live page /asynclog/ is open to everyone: RequireHost() compares the Host header, which the client chooses. Use MapAsyncLog(port: 9090)")]
    [InlineData("Production", "all", null)]
    [InlineData("Production", "port", null)]
    [InlineData("Development", "", null)]
    public async Task One_line_at_start_says_why_the_page_is_hidden_or_open(string environment, string rules, string? expected)
    {
        var lines = new ConcurrentQueue<string>();
        await using var app = await TestApp.Start(
            logging => Heard(logging, lines),
            web =>
            {
                var page = rules.Contains("port", StringComparison.Ordinal) ? web.MapAsyncLog(port: 9090) : web.MapAsyncLog();
                if (rules.Contains("host", StringComparison.Ordinal))
                    page.RequireHost("*:9090");
                if (rules.Contains("all", StringComparison.Ordinal))
                    page.AllowAnonymous();
            },
            environment);
        var page = PageLines(lines);
        if (expected is null)
            Assert.Empty(page);
        else
            Assert.Equal(expected, Assert.Single(page));
    }

    [Fact]
    public async Task Of_two_pages_only_the_hidden_one_has_a_line()
    {
        var lines = new ConcurrentQueue<string>();
        await using var app = await TestApp.Start(
            logging => Heard(logging, lines),
            static web =>
            {
                web.MapAsyncLog("/operators", port: 9090);
                web.MapAsyncLog("/hidden");
            },
            "Production");
        var page = Assert.Single(PageLines(lines));
        Assert.Equal("Information live page /hidden/ " + Hidden, page);
    }

    [Theory]
    [InlineData("/ops/logging")]
    [InlineData("ops/logging/")]
    public async Task The_prefix_decides_where_it_is(string prefix)
    {
        await using var app = await TestApp.Start(OneSink, web => web.MapAsyncLog(prefix));
        Assert.Equal([HttpStatusCode.OK], (await Ask(app, "/ops/logging")).Distinct());
        Assert.Equal([HttpStatusCode.NotFound], (await Ask(app, "/asynclog")).Distinct());
    }

    [Fact]
    public async Task Without_a_sink_mapping_says_what_is_missing()
    {
        var problem = await Assert.ThrowsAsync<InvalidOperationException>(() => TestApp.Start(static _ => { }));
        Assert.Equal("MapAsyncLog() has nothing to show: register a provider first, for example builder.Logging.AddAsyncFile().", problem.Message);
    }

    private static void OneSink(ILoggingBuilder logging) => logging.AddMoody("one", new Mood());

    private static void Heard(ILoggingBuilder logging, ConcurrentQueue<string> lines)
        => OneSink(logging.AddProvider(new LineProvider(lines)).AddFilter<LineProvider>("AsyncLog", LogLevel.Information));

    private static string[] PageLines(ConcurrentQueue<string> lines) => [.. lines.Where(static line => line.Contains(" page ", StringComparison.Ordinal))];

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

    private sealed class LineProvider(ConcurrentQueue<string> lines) : ILoggerProvider, ILogger
    {
        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            => lines.Enqueue($"{logLevel} {formatter(state, exception)}");

        public void Dispose()
        {
        }
    }
}
