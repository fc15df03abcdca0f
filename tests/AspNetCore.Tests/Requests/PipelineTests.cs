using System.Net;
using AsyncLog.Tests.Support;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Rewrite;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.FileProviders;

namespace AsyncLog.Tests.Requests;

/// <summary>One record for each request with what the client sent, in pipelines whose middleware change the request or run again.</summary>
public sealed class PipelineTests
{
    private const string Root = "GET / 200 (null)";
    private const string RootOfRouting = "GET / 200 {*path:nonfile}";
    private const string Deep = "GET /deep/link 200 {*path:nonfile}";
    private const string Old = "GET /old/7?q=3 200 /new/{x}";
    private const string Rewritten = "GET /new/7?q=3&from=rewrite 200 /new/{x}";
    private const string Post = "POST /item 200 /item";
    private const string Delete = "DELETE /item 200 /item";
    private const string Order = "GET /orders/5 404 /orders/{id}";
    private const string Missing = "GET /missing.txt 404 (null)";
    private const string Fail = "GET /fail 500 /fail";
    private const string Short = "GET /short 200 /short";

    /// <summary>Orders of the middleware, and the records of the eight requests. L: the requests are logged. H: exception handler with an error page. S: pages for status codes.
    /// W: rewriter. M: method override. F: default files and static files. R: routing, which answers short circuits.</summary>
    public static TheoryData<string, string[]> Orders() => new()
    {
        { "LHSWMFR", [Root, Deep, Old, Post, Order, Missing, Fail, Short] },
        { "LSHWFMR", [Root, Deep, Old, Post, Order, Missing, Fail, Short] },
        { "LRHSWMF", [RootOfRouting, Deep, Old, Post, Order, Missing, Fail, Short] },
        { "HLSWMFR", [Root, Deep, Old, Post, Order, Missing, Fail, Short] },
        { "SLHWMFR", [Root, Deep, Old, Post, Order, Missing, Fail, Short] },
        { "HSLWMFR", [Root, Deep, Old, Post, Order, Missing, Fail, Short] },
        { "LSHLMWFRL", [Root, Deep, Old, Post, Order, Missing, Fail, Short] },
        { "WLHSMFR", [Root, Deep, Rewritten, Post, Order, Missing, Fail, Short] },
        { "MLHSWFR", [Root, Deep, Old, Delete, Order, Missing, Fail, Short] },
        { "FLHSWMR", [Deep, Old, Post, Order, Missing, Fail, Short] },
        { "RLHSWMF", [RootOfRouting, Deep, Old, Post, Order, Missing, Fail] },
        { "HSWMFRL", [Deep, Rewritten, Delete, Order, Missing, Fail] },
    };

    [Theory]
    [MemberData(nameof(Orders))]
    public Task Each_request_of_HTTP_1_that_reaches_the_middleware_has_one_record_with_what_the_client_sent(string order, string[] records) => Run(order, records, http2: false);

    [Theory]
    [MemberData(nameof(Orders))]
    public Task Each_request_of_HTTP_2_that_reaches_the_middleware_has_one_record_with_what_the_client_sent(string order, string[] records) => Run(order, records, http2: true);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_startup_filter_in_front_of_all_others_logs_short_circuits_and_hosts_that_are_refused(bool isCalledAgain)
    {
        await using var app = await RequestApp.Start(
            web =>
            {
                if (isCalledAgain)
                    web.UseAsyncLogRequestLogging();
                web.MapGet("/short", static () => "").ShortCircuit();
                web.MapShortCircuit(404, "favicon.ico");
                web.MapGet("/normal", static () => "");
            },
            kestrel: true,
            services: static builder =>
            {
                builder.Services.AddHostFiltering(static options => options.AllowedHosts = ["shop.example"]);
                builder.Services.AddSingleton<IStartupFilter, HostFilter>();
                builder.Services.Insert(0, ServiceDescriptor.Singleton<IStartupFilter, LogRequestsFirst>());
            });

        foreach (var (host, path) in ((string, string)[])[("shop.example", "/short"), ("shop.example", "/favicon.ico"), ("evil.example", "/normal"), ("shop.example", "/normal")])
            (await app.Send(HttpMethod.Get, path, ("Host", host))).Dispose();
        await app.Stop();

        Assert.Equal(
            [("/short", 200), ("/favicon.ico", 404), ("/normal", 400), ("/normal", 200)],
            app.Requests.Select(static record => ((string)record["RequestPath"]!, (int)record["StatusCode"]!)));
    }

    [Theory]
    [InlineData(false, "/broken", 500)]
    [InlineData(true, "/gone", 404)]
    public async Task A_request_that_fails_in_front_of_the_middleware_has_the_path_of_the_client_and_not_that_of_its_error_page(bool isStatusPage, string path, int status)
    {
        await using var app = await RequestApp.Start(
            web =>
            {
                if (isStatusPage)
                    web.UseStatusCodePagesWithReExecute("/status/{0}", "?code={0}");
                else
                    web.UseExceptionHandler("/error");
                web.Use((context, next) =>
                {
                    if (context.Request.Path == "/broken")
                        throw new TimeoutException();
                    if (context.Request.Path != "/gone")
                        return next(context);
                    context.Response.StatusCode = StatusCodes.Status404NotFound;
                    return Task.CompletedTask;
                });
                web.UseAsyncLogRequestLogging(static options => options.MessageTemplate = "{RequestPath}{QueryString} {StatusCode}");
                web.UseRouting();
                web.MapGet("/error", static () => "sorry");
                web.MapGet("/status/{code}", static () => "sorry");
            },
            kestrel: true);

        (await app.Get(path + "?q=1")).Dispose();

        Assert.Equal($"{path}?q=1 {status}", (await app.Request()).Message);
    }

    [Fact]
    public async Task A_path_that_is_left_out_stays_out_with_its_error_page_and_with_a_second_call()
    {
        await using var app = await RequestApp.Start(
            static web =>
            {
                web.UseExceptionHandler("/error");
                web.UseAsyncLogRequestLogging(static options => options.ExcludedPaths["/health"] = true);
                web.UseAsyncLogRequestLogging();
                web.UseRouting();
                web.MapGet("/health", static string () => throw new TimeoutException());
                web.MapGet("/error", static () => "sorry");
            },
            kestrel: true);

        using var answer = await app.Get("/health");
        await app.Stop();

        Assert.Equal(HttpStatusCode.InternalServerError, answer.StatusCode);
        Assert.Empty(app.Requests);
    }

    private static async Task Run(string order, string[] records, bool http2)
    {
        using var folder = new TempFolder();
        await File.WriteAllTextAsync(folder.File("index.html"), "<html>", TestContext.Current.CancellationToken);
        using var files = new PhysicalFileProvider(folder.Path);
        await using var app = await RequestApp.Start(web => Build(web, order, files), kestrel: true, http2: http2);

        var statuses = new List<int>();
        foreach (var path in (string[])["/", "/deep/link", "/old/7?q=3", "/item", "/orders/5", "/missing.txt", "/fail", "/short"])
        {
            using var answer = await app.Send(path == "/item" ? HttpMethod.Post : HttpMethod.Get, path, ("X-HTTP-Method-Override", path == "/item" ? "DELETE" : "GET"));
            Assert.Equal(http2 ? HttpVersion.Version20 : HttpVersion.Version11, answer.Version);
            statuses.Add((int)answer.StatusCode);
        }

        // All requests have ended, so a second record would be there, too.
        await app.Stop();
        Assert.Equal([200, 200, 200, 200, 404, 404, 500, 200], statuses);
        Assert.Equal(records, app.Requests.Select(static record => record.Message));
        Assert.Equal(
            ["System.TimeoutException"],
            app.Requests.SelectMany(static record => record.State).Where(static pair => pair.Key == "ErrorType").Select(static pair => (string)pair.Value!));
    }

    private static void Build(WebApplication app, string order, IFileProvider files)
    {
        foreach (var middleware in order)
        {
            switch (middleware)
            {
                case 'L':
                    app.UseAsyncLogRequestLogging(static options => options.MessageTemplate = "{RequestMethod} {RequestPath}{QueryString} {StatusCode} {Route}");
                    break;
                case 'H':
                    app.UseExceptionHandler("/error");
                    break;
                case 'S':
                    app.UseStatusCodePagesWithReExecute("/status/{0}");
                    break;
                case 'W':
                    app.UseRewriter(new RewriteOptions().AddRewrite("^old/([0-9]+)$", "new/$1?from=rewrite", skipRemainingRules: true));
                    break;
                case 'M':
                    app.UseHttpMethodOverride();
                    break;
                case 'F':
                    app.UseDefaultFiles(new DefaultFilesOptions { FileProvider = files });
                    app.UseStaticFiles(new StaticFileOptions { FileProvider = files });
                    break;
                default:
                    app.UseRouting();
                    break;
            }
        }

        app.MapGet("/new/{x}", static (string x) => x);
        app.MapMethods("/item", ["POST", "DELETE"], static () => "item");
        app.MapGet("/orders/{id}", static (int id) => Results.StatusCode(StatusCodes.Status404NotFound));
        app.MapGet("/fail", static string () => throw new TimeoutException("no answer"));
        app.MapGet("/short", static () => "short").ShortCircuit();
        app.MapGet("/error", static () => "an error");
        app.MapGet("/status/{code}", static (int code) => "a status");
        app.MapFallbackToFile("index.html", new StaticFileOptions { FileProvider = files });
    }

    private sealed class LogRequestsFirst : IStartupFilter
    {
        public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) => app =>
        {
            app.UseAsyncLogRequestLogging();
            next(app);
        };
    }

    /// <summary>As the builder of web applications adds it.</summary>
    private sealed class HostFilter : IStartupFilter
    {
        public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) => app =>
        {
            app.UseHostFiltering();
            next(app);
        };
    }
}
