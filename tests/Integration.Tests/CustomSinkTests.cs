using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using CustomSink;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>The sink with I/O of samples/CustomSink, against a server on loopback.</summary>
public sealed class CustomSinkTests
{
    private static readonly SinkContext Context = new("http/test");

    [Fact]
    public async Task What_was_accepted_is_not_sent_again_after_a_failure()
    {
        await using var server = await LineServer.Start(200, 503, 200);
        await using var sink = new HttpSink(new HttpSinkOptions { Endpoint = server.Address, MaxRequestRecords = 2 }, Context);
        var batch = BatchOf(5);

        var failure = await Assert.ThrowsAsync<LogSinkException>(async () => await sink.WriteAsync(batch, TestContext.Current.CancellationToken));
        Assert.Equal("503", failure.ErrorType);
        Assert.Equal(TimeSpan.FromSeconds(7), failure.RetryDelay);
        Assert.Equal(3, batch.Count);

        await sink.WriteAsync(batch, TestContext.Current.CancellationToken);
        Assert.Equal(0, batch.Count);
        Assert.Equal(["r0", "r1", "r2", "r3", "r4"], server.Accepted);
    }

    [Fact]
    public async Task A_request_whose_response_was_lost_is_repeated_under_its_key()
    {
        await using var server = await LineServer.Start(LineServer.Abort, 200);
        await using var sink = new HttpSink(new HttpSinkOptions { Endpoint = server.Address }, Context);
        var batch = BatchOf(3);

        await Assert.ThrowsAsync<HttpRequestException>(async () => await sink.WriteAsync(batch, TestContext.Current.CancellationToken));
        Assert.Equal(3, batch.Count);
        await sink.WriteAsync(batch, TestContext.Current.CancellationToken);

        Assert.Equal(2, server.Keys.Count);
        Assert.Single(server.Keys.Distinct());
        Assert.Equal(["r0", "r1", "r2"], server.Accepted);
    }

    [Fact]
    public async Task The_shutdown_deadline_ends_a_request_and_leaves_the_records()
    {
        await using var server = await LineServer.Start(LineServer.Hang);
        await using var sink = new HttpSink(new HttpSinkOptions { Endpoint = server.Address }, Context);
        var batch = BatchOf(3);
        using var deadline = new CancellationTokenSource();

        var writing = sink.WriteAsync(batch, deadline.Token).AsTask();
        Eventually.True(() => server.Keys.Count == 1);
        await deadline.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing);
        Assert.Equal(3, batch.Count);
    }

    [Fact]
    public async Task Too_large_requests_are_halved_and_refused_records_are_counted()
    {
        await using var server = await LineServer.Start(413, 413, 200, 400, 200);
        using var services = Services(server, ("MaxRequestRecords", "4"));
        var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop");
        var control = services.GetRequiredService<IAsyncLogControl>();

        // 4, 2, then r0 is accepted; r1 and its like are refused in requests of 4; the last one is accepted.
        for (var i = 0; i < 6; i++)
            logger.LogInformation("r{Number}", i);
        await control.FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);

        var status = Assert.Single(control.GetStatus().Instances);
        Assert.Equal(("http/default", server.Address.AbsoluteUri), (status.Name, status.Target));
        Assert.Equal((6, 2), (status.Offered, status.Written));
        Assert.Equal((DropReason.SinkPermanent, 4), Assert.Single(status.Drops.Select(static drop => (drop.Reason, (int)drop.Count))));
        Assert.Equal([4, 2, 1, 4, 1], server.Sizes);
        Assert.Equal(["r0", "r5"], server.Accepted);
    }

    [Fact]
    public async Task A_record_that_is_too_large_alone_is_refused()
    {
        await using var server = await LineServer.Start(413, 200);
        using var services = Services(server, ("MaxRequestRecords", "1"));
        var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop");
        logger.LogInformation("r{Number}", 0);
        logger.LogInformation("r{Number}", 1);
        var control = services.GetRequiredService<IAsyncLogControl>();
        await control.FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
        Assert.Equal(DropReason.Oversize, Assert.Single(control.GetStatus().Instances[0].Drops).Reason);
        Assert.Equal(["r1"], server.Accepted);
    }

    [Fact]
    public void The_sink_with_IO_stays_under_60_lines()
    {
        var lines = File.ReadAllLines(Path.Combine(Repository.Root, "samples", "CustomSink", "HttpSink.cs"));
        var first = Array.FindIndex(lines, static line => line.Contains("class HttpSink(", StringComparison.Ordinal));
        Assert.InRange(Array.FindIndex(lines, first, static line => line == "}") - first + 1, 1, 59);
    }

    private static LogBatch BatchOf(int records) => LogBatch.Create([.. Enumerable.Range(0, records).Select(static i =>
        new LogRecord(Encoding.UTF8.GetBytes($$"""{"@m":"r{{i}}"}""" + "\n"), LogLevel.Information, DateTimeOffset.UnixEpoch, "Shop"))]);

    private static ServiceProvider Services(LineServer server, params (string Key, string Value)[] settings)
    {
        var values = settings.Append((Key: "Endpoint", Value: server.Address.AbsoluteUri)).ToDictionary(static pair => "Logging:Http:" + pair.Key, static pair => (string?)pair.Value);
        var configuration = new ConfigurationBuilder().AddInMemoryCollection(values).Build();
        return new ServiceCollection()
            .AddSingleton<IConfiguration>(configuration)
            .AddLogging(builder => builder.AddConfiguration(configuration.GetSection("Logging")).AddHttp())
            .Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReport) = (false, SelfReportLevel.Off))
            .BuildServiceProvider();
    }

    /// <summary>Answers requests with statuses in turn, the last one for all that follow.</summary>
    private sealed class LineServer : IAsyncDisposable
    {
        public const int Abort = -1;
        public const int Hang = -2;
        private readonly WebApplication _app;
        private readonly int[] _statuses;
        private readonly ConcurrentQueue<string> _accepted = new();
        private readonly ConcurrentQueue<string> _keys = new();
        private readonly ConcurrentQueue<int> _sizes = new();
        private int _requests;

        private LineServer(int[] statuses)
        {
            _statuses = statuses;
            var builder = WebApplication.CreateSlimBuilder();
            builder.Logging.ClearProviders();
            builder.WebHost.UseUrls("http://127.0.0.1:0");
            _app = builder.Build();
            _app.Run(HandleAsync);
        }

        public Uri Address => new(_app.Urls.Single() + "/logs");

        /// <summary>The messages of accepted requests.</summary>
        public IReadOnlyList<string> Accepted => [.. _accepted];

        public IReadOnlyList<string> Keys => [.. _keys];

        /// <summary>The records of each request.</summary>
        public IReadOnlyList<int> Sizes => [.. _sizes];

        public static async Task<LineServer> Start(params int[] statuses)
        {
            var server = new LineServer(statuses);
            await server._app.StartAsync();
            return server;
        }

        public ValueTask DisposeAsync() => _app.DisposeAsync();

        private async Task HandleAsync(HttpContext context)
        {
            using var reader = new StreamReader(context.Request.Body);
            var lines = (await reader.ReadToEndAsync()).Split('\n', StringSplitOptions.RemoveEmptyEntries);
            _sizes.Enqueue(lines.Length);
            _keys.Enqueue(context.Request.Headers["Idempotency-Key"].Single()!);
            var status = _statuses[Math.Min(_requests++, _statuses.Length - 1)];
            if (status == Hang)
                await Task.Delay(Timeout.Infinite, context.RequestAborted).ContinueWith(static _ => { }, TaskScheduler.Default);
            if (status < 0)
            {
                context.Abort();
                return;
            }

            context.Response.StatusCode = status;
            if (status == 503)
                context.Response.Headers.RetryAfter = "7";
            if (status != 200)
                return;
            foreach (var line in lines)
                _accepted.Enqueue(MessageOf(JsonDocument.Parse(line).RootElement));
        }

        // CLEF has the template, and the message only where the application set it.
        private static string MessageOf(JsonElement record) =>
            record.TryGetProperty("@m", out var message) ? message.GetString()! : record.GetProperty("@mt").GetString()!.Replace("{Number}", record.GetProperty("Number").ToString(), StringComparison.Ordinal);
    }
}
