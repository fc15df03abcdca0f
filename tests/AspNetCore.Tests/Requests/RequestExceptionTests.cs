using System.Net;
using AsyncLog.Tests.Support;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Diagnostics;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Requests;

/// <summary>Requests that end with an exception: who logs it, and what the record of the request says.</summary>
public sealed class RequestExceptionTests
{
    private const string Diagnostics = "Logging:LogLevel:Microsoft.AspNetCore.Diagnostics";
    private const string Server = "Logging:LogLevel:Microsoft.AspNetCore.Server.Kestrel";

    public static TheoryData<string, string> Pipelines() => new()
    {
        { "none", "Microsoft.AspNetCore.Server.Kestrel" },
        { "handler inside", "Microsoft.AspNetCore.Diagnostics.ExceptionHandlerMiddleware" },
        { "handler outside", "Microsoft.AspNetCore.Diagnostics.ExceptionHandlerMiddleware" },
        { "page inside", "Microsoft.AspNetCore.Diagnostics.DeveloperExceptionPageMiddleware" },
        { "page outside", "Microsoft.AspNetCore.Diagnostics.DeveloperExceptionPageMiddleware" },
    };

    [Theory]
    [MemberData(nameof(Pipelines))]
    public async Task An_exception_is_logged_once_by_the_framework_and_named_by_the_request(string pipeline, string logger)
    {
        await using var app = await RequestApp.Start(app => Build(app, pipeline), kestrel: true, new() { ["Logging:LogLevel:Default"] = "Warning", ["Logging:LogLevel:AsyncLog"] = "Information" });

        using var answer = await app.Get("/fail");

        var record = await app.Request();
        Assert.Equal(HttpStatusCode.InternalServerError, answer.StatusCode);
        Assert.Equal((LogLevel.Error, 500, "System.TimeoutException"), (record.Level, (int)record["StatusCode"]!, (string)record["ErrorType"]!));
        Assert.Equal(("/fail", "/fail"), ((string)record["RequestPath"]!, (string)record["Route"]!));
        // All requests have ended, so a second record of the exception would be there, too.
        await app.Stop();
        Assert.StartsWith(logger, Assert.Single(app.Records, static record => record.Exception is not null).Category, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Pipelines))]
    public async Task With_the_loggers_of_the_framework_off_the_request_has_the_exception(string pipeline, string logger)
    {
        await using var app = await RequestApp.Start(app => Build(app, pipeline), kestrel: true, new() { [Diagnostics] = "None", [Server] = "Critical" });

        using var answer = await app.Get("/fail");

        var exception = Assert.IsType<TimeoutException>((await app.Request()).Exception);
        Assert.Equal("no answer", exception.Message);
        await app.Stop();
        Assert.DoesNotContain(app.Records, record => record.Category.StartsWith(logger, StringComparison.Ordinal) && record.Exception is not null);
        Assert.Equal("AsyncLog.Requests", Assert.Single(app.Records, static record => record.Exception is not null).Category);
    }

    [Fact]
    public async Task An_exception_that_the_application_handles_has_the_status_of_its_answer()
    {
        await using var app = await RequestApp.Start(
            static app => Build(app, "handler inside"), services: static builder => builder.Services.AddExceptionHandler<ConflictHandler>());

        using var answer = await app.Get("/fail");

        var record = await app.Request();
        Assert.Equal((LogLevel.Information, 409, "System.TimeoutException"), (record.Level, (int)record["StatusCode"]!, (string)record["ErrorType"]!));
        Assert.DoesNotContain(app.Records, static record => record.Exception is not null);
    }

    [Theory]
    [InlineData("handler inside", null, true)]
    [InlineData("handler outside", null, true)]
    [InlineData("handler inside", true, false)]
    [InlineData("handler inside", false, false)]
    public async Task An_exception_that_an_IExceptionHandler_took_is_in_the_record_unless_the_application_decides_who_logs_it(string pipeline, bool? isSuppressed, bool hasException)
    {
        await using var app = await RequestApp.Start(
            app => Build(app, pipeline),
            kestrel: true,
            services: builder => builder.Services.AddExceptionHandler<SorryHandler>().Configure<ExceptionHandlerOptions>(
                options => options.SuppressDiagnosticsCallback = isSuppressed is { } answer ? _ => answer : null));

        using var answer = await app.Get("/fail");

        var record = await app.Request();
        Assert.Equal((LogLevel.Error, 500, "System.TimeoutException"), (record.Level, (int)record["StatusCode"]!, (string)record["ErrorType"]!));
        Assert.Equal(hasException ? "no answer" : null, record.Exception?.Message);
        await app.Stop();
        Assert.Equal(hasException || isSuppressed == false ? 1 : 0, app.Records.Count(static record => record.Exception is not null));
    }

    [Fact]
    public async Task Behind_a_handler_that_answers_with_another_status_the_record_has_status_500_and_the_exception()
    {
        await using var app = await RequestApp.Start(
            static app => Build(app, "handler outside"), kestrel: true, services: static builder => builder.Services.AddExceptionHandler<ConflictHandler>());

        using var answer = await app.Get("/fail");

        var record = await app.Request();
        Assert.Equal(HttpStatusCode.Conflict, answer.StatusCode);
        Assert.Equal((500, "no answer"), ((int)record["StatusCode"]!, record.Exception?.Message));
    }

    [Theory]
    [InlineData("none")]
    [InlineData("handler inside")]
    [InlineData("handler outside")]
    public async Task An_exception_after_the_response_started_is_an_error_with_status_500(string pipeline)
    {
        await using var app = await RequestApp.Start(app => Build(app, pipeline), kestrel: true);

        await app.TryGet("/late");

        var record = await app.Request();
        Assert.Equal((LogLevel.Error, 500, "System.TimeoutException"), (record.Level, (int)record["StatusCode"]!, (string)record["ErrorType"]!));
    }

    [Fact]
    public async Task An_exception_of_a_middleware_that_throws_before_it_awaits_is_logged_too()
    {
        await using var app = await RequestApp.Start(static app =>
        {
            app.UseAsyncLogRequestLogging();
            app.Run(static _ => throw new TimeoutException());
        });

        await Assert.ThrowsAsync<TimeoutException>(() => app.Get("/"));

        Assert.Equal((LogLevel.Error, 500), ((await app.Request()).Level, (int)app.Requests[0]["StatusCode"]!));
    }

    [Fact]
    public async Task A_bad_request_that_is_thrown_has_its_own_status()
    {
        await using var app = await RequestApp.Start(
            static app =>
            {
                app.UseAsyncLogRequestLogging();
                app.Run(static _ => throw new BadHttpRequestException("too long", StatusCodes.Status413PayloadTooLarge));
            },
            kestrel: true);

        using var answer = await app.Get("/");

        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, answer.StatusCode);
        Assert.Equal((LogLevel.Information, 413), ((await app.Request()).Level, (int)app.Requests[0]["StatusCode"]!));
    }

    [Theory]
    [InlineData("/waits")]
    [InlineData("/waits/started")]
    [InlineData("/waits/caught")]
    public async Task A_request_whose_client_left_has_status_499(string path)
    {
        var isRunning = new TaskCompletionSource();
        await using var app = await RequestApp.Start(
            app =>
            {
                app.UseAsyncLogRequestLogging();
                app.MapGet("/waits/{how?}", async (HttpContext context, string? how) =>
                {
                    if (how == "started")
                        await context.Response.WriteAsync("begun", context.RequestAborted);
                    isRunning.SetResult();
                    var left = Task.Delay(Timeout.Infinite, context.RequestAborted);
                    await (how == "caught" ? Task.WhenAny(left) : left);
                });
            },
            kestrel: true);

        using (var socket = await app.Send($"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            await isRunning.Task;

        var record = await app.Request();
        Assert.Equal((LogLevel.Information, 499), (record.Level, (int)record["StatusCode"]!));
        Assert.Null(record.Exception);
    }

    [Theory]
    [InlineData(4, false, 200)]
    [InlineData(4, true, 200)]
    [InlineData(5, false, 499)]
    [InlineData(5, true, 499)]
    [InlineData(null, false, 499)]
    public async Task A_request_whose_client_leaves_with_the_whole_response_keeps_its_status(int? length, bool throws, int status)
    {
        await using var app = await RequestApp.Start(
            app =>
            {
                app.UseAsyncLogRequestLogging();
                app.Run(async context =>
                {
                    context.Response.ContentLength = length;
                    // As the results of endpoints write. Only the last byte of Response.Body keeps Kestrel from aborting the request.
                    await context.Response.WriteAsync("done");
                    await context.Response.BodyWriter.FlushAsync();
                    // Kestrel knows now that the client has closed its connection.
                    var left = Task.Delay(Timeout.Infinite, context.RequestAborted);
                    await (throws ? left : Task.WhenAny(left));
                });
            },
            kestrel: true);

        using (var socket = await app.Send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            Assert.True(await socket.ReceiveAsync(new byte[4096], TestContext.Current.CancellationToken) > 0);

        var record = await app.Request();
        Assert.Equal((LogLevel.Information, status), (record.Level, (int)record["StatusCode"]!));
    }

    private static void Build(WebApplication app, string pipeline)
    {
        if (pipeline == "handler outside")
            app.UseExceptionHandler();
        if (pipeline == "page outside")
            app.UseDeveloperExceptionPage();
        app.UseAsyncLogRequestLogging();
        if (pipeline == "handler inside")
            app.UseExceptionHandler();
        if (pipeline == "page inside")
            app.UseDeveloperExceptionPage();
        app.UseRouting();
        app.MapGet("/fail", static string () => throw new TimeoutException("no answer"));
        app.MapGet("/late", static async (HttpContext context) =>
        {
            await context.Response.WriteAsync("begun");
            await context.Response.Body.FlushAsync();
            throw new TimeoutException("no answer");
        });
        app.UseEndpoints(static _ => { });
    }

    private sealed class ConflictHandler : IExceptionHandler
    {
        public ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken)
        {
            httpContext.Response.StatusCode = StatusCodes.Status409Conflict;
            return ValueTask.FromResult(true);
        }
    }

    private sealed class SorryHandler : IExceptionHandler
    {
        public async ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken)
        {
            await httpContext.Response.WriteAsync("sorry", cancellationToken);
            return true;
        }
    }
}
