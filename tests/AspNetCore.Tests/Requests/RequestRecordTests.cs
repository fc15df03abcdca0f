using System.Globalization;
using AsyncLog.Tests.Support;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Requests;

/// <summary>The record of a request: its message, properties and level.</summary>
public sealed class RequestRecordTests
{
    [Fact]
    public async Task A_request_gives_one_record_with_its_values()
    {
        await using var app = await RequestApp.Start(
            static app =>
            {
                app.UseAsyncLogRequestLogging();
                app.MapGet("/orders/{number:int}", static (int number) => Results.Bytes(new byte[number]));
            },
            services: static builder => builder.Services.AddSingleton<TimeProvider>(new SteppingTime(TimeSpan.FromMilliseconds(1.5))));

        using var answer = await app.Get("/orders/7?token=secret");

        var record = await app.Request();
        Assert.Equal("HTTP GET /orders/7 responded 200 in 1.500 ms", record.Message);
        Assert.Equal((LogLevel.Information, "RequestEnded", 1), (record.Level, record.Id.Name, record.Id.Id));
        Assert.Null(record.Exception);
        Assert.Equal(
            [
                new("RequestMethod", "GET"), new("RequestPath", "/orders/7"), new("StatusCode", 200), new("Elapsed", 1.5), new("Route", "/orders/{number:int}"),
                new("ResponseLength", 7L), new("{OriginalFormat}", "HTTP {RequestMethod} {RequestPath} responded {StatusCode} in {Elapsed:F3} ms"),
            ],
            record.State);
    }

    [Theory]
    [InlineData(200, LogLevel.Information)]
    [InlineData(302, LogLevel.Information)]
    [InlineData(404, LogLevel.Information)]
    [InlineData(499, LogLevel.Information)]
    [InlineData(500, LogLevel.Error)]
    [InlineData(503, LogLevel.Error)]
    public async Task The_status_decides_the_level(int status, LogLevel level)
    {
        await using var app = await RequestApp.Start(app =>
        {
            app.UseAsyncLogRequestLogging();
            app.MapGet("/", () => Results.StatusCode(status));
        });

        using var answer = await app.Get("/");

        var record = await app.Request();
        Assert.Equal((level, status), (record.Level, (int)record["StatusCode"]!));
    }

    [Fact]
    public async Task GetLevel_decides_the_level_and_None_leaves_a_request_out()
    {
        await using var app = await RequestApp.Start(static app =>
        {
            app.UseAsyncLogRequestLogging(static options => options.GetLevel =
                static (context, _, exception) => context.Request.Path == "/quiet" ? LogLevel.None : exception is TimeoutException ? LogLevel.Critical : LogLevel.Warning);
            app.MapGet("/quiet", static () => "");
            app.MapGet("/late", static string () => throw new TimeoutException());
            app.MapGet("/", static () => "");
        });

        foreach (var path in (string[])["/quiet", "/late", "/"])
        {
            if (path == "/late")
                await Assert.ThrowsAsync<TimeoutException>(() => app.Get(path));
            else
                (await app.Get(path)).Dispose();
        }

        Assert.Equal([("/late", LogLevel.Critical), ("/", LogLevel.Warning)], app.Requests.Select(static record => ((string)record["RequestPath"]!, record.Level)));
    }

    [Fact]
    public async Task A_filter_and_excluded_paths_leave_requests_out()
    {
        await using var app = await RequestApp.Start(static app =>
        {
            app.UseAsyncLogRequestLogging(static options =>
            {
                options.ExcludedPaths["/health"] = true;
                options.Filter = static context => context.Response.StatusCode != 404;
            });
            app.MapGet("/health/{part}", static () => "");
            app.MapGet("/healthy", static () => "");
        });

        foreach (var path in (string[])["/health/disk", "/HEALTH", "/nothing", "/healthy"])
            (await app.Get(path)).Dispose();

        Assert.Equal("/healthy", (await app.Request())["RequestPath"]);
    }

    [Fact]
    public async Task A_filter_that_throws_is_reported_once_and_the_requests_are_logged_and_answered()
    {
        await using var app = await RequestApp.Start(static app =>
        {
            app.UseAsyncLogRequestLogging(static options => options.Filter = static _ => throw new InvalidOperationException("no filter"));
            app.MapGet("/", static () => "answer");
        });

        using var answer = await app.Get("/");
        using var next = await app.Get("/");

        Assert.Equal("answer", await answer.Content.ReadAsStringAsync(TestContext.Current.CancellationToken));
        Assert.Equal("answer", await next.Content.ReadAsStringAsync(TestContext.Current.CancellationToken));
        Assert.Equal(["RequestCallbackFailed", "RequestEnded", "RequestEnded"], app.Requests.Select(static record => record.Id.Name));
        Assert.Equal("no filter", app.Requests[0].Exception!.Message);
        Assert.Equal(
            (LogLevel.Error, "Filter or GetLevel of UseAsyncLogRequestLogging() failed; the request is logged without it"),
            (app.Requests[0].Level, app.Requests[0].Message));
    }

    [Fact]
    public async Task The_requests_of_the_live_page_are_left_out()
    {
        await using var app = await RequestApp.Start(
            static app =>
            {
                app.UseAsyncLogRequestLogging();
                app.MapAsyncLog("/page").AllowAnonymous();
                app.MapGet("/", static () => "");
            },
            services: static builder => builder.Logging.AddMoody("main", new Mood()));

        foreach (var path in (string[])["/page", "/page/status", "/page/history", "/page/metrics"])
        {
            foreach (var method in (HttpMethod[])[HttpMethod.Get, HttpMethod.Head, HttpMethod.Post])
                (await app.Send(method, path)).Dispose();
        }

        (await app.Get("/")).Dispose();

        Assert.Equal("/", (await app.Request())["RequestPath"]);
    }

    [Fact]
    public async Task A_template_of_the_configuration_has_values_twice_formats_and_braces()
    {
        await using var app = await RequestApp.Start(
            static app =>
            {
                app.UseAsyncLogRequestLogging();
                app.MapGet("/a/{b}", static () => "");
            },
            settings: new()
            {
                ["AsyncLog:Requests:MessageTemplate"] = "{{{StatusCode,5}}} {Protocol} {Scheme}://{Host}{RequestPath}{QueryString} {Route} {StatusCode:X} {ResponseLength}",
                ["AsyncLog:Requests:ExcludedPaths:/live"] = "true",
            });

        (await app.Get("/live")).Dispose();
        using var answer = await app.Get("/a/b?c=d");

        Assert.Equal("{  200} HTTP/1.1 http://localhost/a/b?c=d /a/{b} C8 (null)", (await app.Request()).Message);
    }

    [Fact]
    public async Task Code_adds_a_property_to_the_record_and_replaces_it()
    {
        await using var app = await RequestApp.Start(static app =>
        {
            app.UseAsyncLogRequestLogging();
            app.MapGet("/", static (HttpContext context) =>
            {
                context.AddRequestLogProperty("Items", 2);
                context.AddRequestLogProperty("Customer", "acme");
                context.AddRequestLogProperty("Items", 3);
            });
        });

        using var answer = await app.Get("/");

        var state = (await app.Request()).State;
        Assert.Equal([new("Customer", "acme"), new("Items", 3)], state.Where(static pair => pair.Key is "Items" or "Customer"));
    }

    [Fact]
    public async Task Tasks_of_a_request_add_properties_at_the_same_time_and_none_is_missing()
    {
        await using var app = await RequestApp.Start(static app =>
        {
            app.UseAsyncLogRequestLogging();
            app.MapGet("/", static (HttpContext context) => Parallel.For(0, 32, task =>
            {
                for (var i = 0; i < 20; i++)
                    context.AddRequestLogProperty($"{task}.{i}", i);
            }));
        });

        for (var i = 0; i < 20; i++)
            (await app.Get("/")).Dispose();

        Assert.Equal(20, app.Requests.Count);
        var expected = Enumerable.Range(0, 32).SelectMany(static task => Enumerable.Range(0, 20).Select(i => ($"{task}.{i}", i))).Order();
        Assert.All(app.Requests, record => Assert.Equal(expected, Added(record).Order()));

        static IEnumerable<(string, int)> Added(LoggedRecord record)
            => record.State.Where(static pair => pair.Key.Contains('.', StringComparison.Ordinal)).Select(static pair => (pair.Key, (int)pair.Value!));
    }

    [Fact]
    public async Task A_property_by_the_name_of_a_value_of_the_request_has_no_effect_and_is_reported_once()
    {
        await using var app = await RequestApp.Start(static app =>
        {
            app.UseAsyncLogRequestLogging();
            app.MapGet("/", static (HttpContext context) =>
            {
                context.AddRequestLogProperty("StatusCode", "none");
                context.AddRequestLogProperty("@Route", "none");
                context.AddRequestLogProperty("Host", "own");
            });
        });

        (await app.Get("/")).Dispose();
        (await app.Get("/")).Dispose();

        var reports = app.Requests.Where(static record => record.Id.Name == "RequestPropertyRefused");
        Assert.Equal(
            (LogLevel.Warning, "AddRequestLogProperty(\"StatusCode\") has no effect: the record of a request has a value of its own by that name. Use another name"),
            Assert.Single(reports.Select(static record => (record.Level, record.Message))));
        var records = app.Requests.Where(static record => record.Id.Name == "RequestEnded").ToList();
        Assert.Equal(2, records.Count);
        Assert.All(records, static record => Assert.Equal(
            [new("StatusCode", 200), new("Route", "/"), new("Host", "own")], record.State.Where(static pair => pair.Key is "StatusCode" or "@Route" or "Route" or "Host")));
    }

    [Fact]
    public async Task A_property_with_the_sign_of_objects_is_JSON_and_one_with_the_sign_of_text_is_text()
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "web.log");
        await using (var app = await RequestApp.Start(
            static app =>
            {
                app.UseAsyncLogRequestLogging();
                app.MapGet("/", static (HttpContext context) =>
                {
                    context.AddRequestLogProperty("@Cart", new { Items = 2 });
                    context.AddRequestLogProperty("$Total", new Version(1, 2));
                    context.AddRequestLogProperty("Cart2", new Version(3, 4));
                });
            },
            services: builder => builder.Logging.AddAsyncFile(options => (options.Path, options.Format) = (file, "Json"))))
        {
            using var answer = await app.Get("/");
        }

        var line = Assert.Single(File.ReadAllLines(file), static line => line.Contains("AsyncLog.Requests", StringComparison.Ordinal));
        Assert.Contains("\"Cart\":{\"Items\":2},\"Total\":\"1.2\",\"Cart2\":\"3.4\"", line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_path_of_the_record_includes_the_path_base()
    {
        await using var app = await RequestApp.Start(static app =>
        {
            app.UseAsyncLogRequestLogging();
            app.UsePathBase("/shop");
            app.Run(static context => context.Response.WriteAsync(context.Request.Path));
        });

        using var answer = await app.Get("/shop/cart");

        Assert.Equal("/shop/cart", (await app.Request())["RequestPath"]);
    }

    [Theory]
    [InlineData("Text", "HTTP GET /a\\nb\\u001B\\u001b[31m responded 404")]
    [InlineData("Json", "\"RequestPath\":\"/a\\nb\\u001B\\u001B[31m\"")]
    public async Task A_path_with_control_characters_stays_on_its_line(string format, string expected)
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "web.log");
        await using (var app = await RequestApp.Start(
            static app =>
            {
                app.UseAsyncLogRequestLogging();
                app.Run(static context => Task.FromResult(context.Response.StatusCode = 404));
            },
            services: builder => builder.Logging.AddAsyncFile(options => (options.Path, options.Format) = (file, format))))
        {
            using var answer = await app.Get("/a%0Ab%1B%1B[31m");
        }

        var line = Assert.Single(File.ReadAllLines(file), static line => line.Contains("AsyncLog.Requests", StringComparison.Ordinal));
        Assert.Contains(expected, line, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain(line, char.IsControl);
    }

    [Fact]
    public async Task The_file_has_the_same_message_and_properties_as_another_provider()
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "web.log");
        string message;
        await using (var app = await RequestApp.Start(
            static app =>
            {
                app.UseAsyncLogRequestLogging(static options => options.MessageTemplate = "{StatusCode}{StatusCode,6:X} of {RequestPath} {Route} {Elapsed:0.00}");
                app.MapGet("/{all}", static (HttpContext context) => context.AddRequestLogProperty("Customer", "acme"));
            },
            services: builder => builder.Logging.AddAsyncFile(options => (options.Path, options.Template) = (file, "{Message} {Customer} {ResponseLength}|"))))
        {
            using var answer = await app.Get("/a");
            message = (await app.Request()).Message;
        }

        Assert.StartsWith("200    C8 of /a /{all} ", message, StringComparison.Ordinal);
        Assert.Contains(string.Create(CultureInfo.InvariantCulture, $"{message} acme |"), File.ReadAllLines(file));
    }

    /// <summary>A clock that advances with each reading.</summary>
    private sealed class SteppingTime(TimeSpan step) : TimeProvider
    {
        private long _reading;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => step.Ticks * ++_reading;
    }
}
