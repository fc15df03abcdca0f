using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using AsyncLog.Tests.Support;
using CustomSink;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

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

        var failure = await Assert.ThrowsAsync<LogSinkException>(async () => await sink.WriteAsync(batch, TestContext.Current.CancellationToken));
        Assert.Equal(("reset", 3), (failure.ErrorType, batch.Count));
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
    public async Task Too_large_requests_are_halved_and_what_the_server_refuses_is_left_out()
    {
        await using var server = await LineServer.Start(413, 413, 200, 400, 200);
        await using var sink = new HttpSink(new HttpSinkOptions { Endpoint = server.Address, MaxRequestRecords = 4 }, Context);
        var batch = BatchOf(6);

        // 4 and 2 are too large, r0 is accepted; then 2 are tried again, and refused for another reason; r3 and r4 are accepted, then 3 are tried: only r5 is left.
        await sink.WriteAsync(batch, TestContext.Current.CancellationToken);

        Assert.Equal(0, batch.Count);
        Assert.Equal([4, 2, 1, 2, 2, 1], server.Sizes);
        Assert.Equal(["r0", "r3", "r4", "r5"], server.Accepted);
    }

    [Fact]
    public async Task Refused_records_are_counted()
    {
        await using var server = await LineServer.Start(200, 400, 400, 200);
        using var services = Services(server);
        var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop");
        var control = services.GetRequiredService<IAsyncLogControl>();

        // One request each. What was refused is lost.
        for (var i = 0; i < 4; i++)
        {
            var number = i;
            Assert.Equal(i is not (1 or 2), await FlushedBeforeTheAnswer(server, control, () => logger.LogInformation("r{Number}", number)));
        }

        var status = Counters.AssertAddUp(Assert.Single(control.GetStatus().Instances), 4);
        Assert.Equal(("http/default", server.Address.AbsoluteUri), (status.Name, status.Target));
        Assert.Equal(2, status.Written);
        Assert.Equal((DropReason.SinkPermanent, 2), Assert.Single(status.Drops.Select(static drop => (drop.Reason, (int)drop.Count))));
        Assert.Equal(["r0", "r3"], server.Accepted);
    }

    [Fact]
    public async Task The_program_sends_its_record_to_the_server_that_it_is_given()
    {
        await using var server = await LineServer.Start(200);
        using var folder = new TempFolder();
        using var sample = ChildProgram.OfSample("CustomSink", "CustomSink", [server.Address.AbsoluteUri], folder.Path);

        Assert.True(await sample.Ended() == 0, sample.Printed);
        Assert.Single(server.Accepted, "Item 42 added");
    }

    [Fact]
    [Trait("Category", "slow")]
    public async Task Trimmed_and_without_dynamic_code_the_program_binds_its_options_and_sends_its_record()
    {
        using var folder = new TempFolder();
        await PublishedProgram.Publish(
            folder, "samples/CustomSink", "-p:PublishTrimmed=true", "-p:TrimMode=full", "-p:TrimmerSingleWarn=false", "-p:SuppressTrimAnalysisWarnings=false", "-p:DynamicCodeSupport=false");
        await using var server = await LineServer.Start(200);
        using var sample = new ChildProgram(folder.File("app", "CustomSink"), [server.Address.AbsoluteUri], folder.Path);

        Assert.True(await sample.Ended() == 0, sample.Printed);
        Assert.Single(server.Accepted, "Item 42 added");
    }

    [Theory]
    [InlineData("Endpoint", "localhost", "Logging:Http:Endpoint 'localhost' is not valid: expected http://host[:port][/path]; remove the key to use the default")]
    [InlineData("MaxRequestRecords", "0", "Logging:Http:MaxRequestRecords '0' is not valid: must be at least 1; remove the key to use the default")]
    public async Task A_value_that_the_options_refuse_is_named_with_its_key(string key, string value, string error)
    {
        await using var server = await LineServer.Start(200);
        using var services = Services(server, (key, value));
        Assert.Equal([error], Assert.ThrowsAny<OptionsValidationException>(services.GetRequiredService<ILoggerFactory>).Failures);
    }

    [Fact]
    public async Task A_record_that_is_too_large_alone_is_refused()
    {
        await using var server = await LineServer.Start(413, 200);
        using var services = Services(server, ("MaxRequestRecords", "1"));
        var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop");
        var control = services.GetRequiredService<IAsyncLogControl>();
        // What was refused is lost.
        Assert.False(await FlushedBeforeTheAnswer(server, control, () =>
        {
            logger.LogInformation("r{Number}", 0);
            logger.LogInformation("r{Number}", 1);
        }));
        var status = Counters.AssertAddUp(Assert.Single(control.GetStatus().Instances), 2);
        Assert.Equal((DropReason.Oversize, 1L), Assert.Single(status.Drops.Select(static drop => (drop.Reason, drop.Count))));
        Assert.Equal(["r1"], server.Accepted);
    }

    [Fact]
    public async Task The_size_that_a_server_takes_is_remembered_for_the_next_batch()
    {
        await using var server = await LineServer.Start(413, 413, 200);
        await using var sink = new HttpSink(new HttpSinkOptions { Endpoint = server.Address, MaxRequestRecords = 8 }, Context);

        await sink.WriteAsync(BatchOf(8), TestContext.Current.CancellationToken);
        await sink.WriteAsync(BatchOf(8), TestContext.Current.CancellationToken);

        Assert.Equal([8, 4, 2, 3, 3, 5, 3], server.Sizes);
    }

    [Theory]
    [InlineData("86400", 60, 60)]
    [InlineData("7", 7, 7)]
    [InlineData("in 20 s", 18, 20)]
    [InlineData("in a day", 60, 60)]
    [InlineData("soon", null, null)]
    public async Task A_server_may_ask_for_a_pause_of_up_to_a_minute(string retryAfter, int? least, int? most)
    {
        await using var server = await LineServer.Start(503);
        server.RetryAfter = retryAfter switch
        {
            "in 20 s" => DateTimeOffset.UtcNow.AddSeconds(20).ToString("R", CultureInfo.InvariantCulture),
            "in a day" => DateTimeOffset.UtcNow.AddDays(1).ToString("R", CultureInfo.InvariantCulture),
            _ => retryAfter,
        };
        await using var sink = new HttpSink(new HttpSinkOptions { Endpoint = server.Address }, Context);

        var failure = await Assert.ThrowsAsync<LogSinkException>(async () => await sink.WriteAsync(BatchOf(1), TestContext.Current.CancellationToken));

        Assert.Equal(least is null, failure.RetryDelay is null);
        if (least is not null)
            Assert.InRange(failure.RetryDelay!.Value, TimeSpan.FromSeconds(least.Value), TimeSpan.FromSeconds(most!.Value));
    }

    [Fact]
    public async Task A_server_that_does_not_answer_or_does_not_listen_is_named()
    {
        await using var server = await LineServer.Start(LineServer.Hang);
        await using var waiting = new HttpSink(new HttpSinkOptions { Endpoint = server.Address, Timeout = TimeSpan.FromMilliseconds(50) }, Context);
        var closed = new Uri($"http://127.0.0.1:{Ports.Free()}/logs");
        await using var refused = new HttpSink(new HttpSinkOptions { Endpoint = closed }, Context);

        var timeout = await Assert.ThrowsAsync<LogSinkException>(async () => await waiting.WriteAsync(BatchOf(1), TestContext.Current.CancellationToken));
        Assert.Equal(("timeout", $"{server.Address}: no answer within 00:00:00.0500000"), (timeout.ErrorType, timeout.Message));
        var refusal = await Assert.ThrowsAsync<LogSinkException>(async () => await refused.WriteAsync(BatchOf(1), TestContext.Current.CancellationToken));
        Assert.Equal("refused", refusal.ErrorType);
        Assert.StartsWith($"{closed}: ", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Its_requests_are_not_traced()
    {
        await using var server = await LineServer.Start(200);
        await using var sink = new HttpSink(new HttpSinkOptions { Endpoint = server.Address }, Context);
        var isTraced = false;
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "System.Net.Http",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            // A request has its tags behind its start.
            ActivityStopped = activity => isTraced |= activity.OperationName == "System.Net.Http.HttpRequestOut"
                && Equals(activity.GetTagItem("server.port"), server.Address.Port),
        };
        ActivitySource.AddActivityListener(listener);

        await sink.WriteAsync(BatchOf(1), TestContext.Current.CancellationToken);

        Assert.Equal((false, false), (isTraced, server.HasTraceParent));

        // A request of the application is.
        using var client = new HttpClient();
        client.DefaultRequestHeaders.Add("Idempotency-Key", "own");
        using var content = new StringContent("""{"@m":"own"}""");
        using var response = await client.PostAsync(server.Address, content, TestContext.Current.CancellationToken);
        Assert.Equal((true, true), (isTraced, server.HasTraceParent));
    }

    [Fact]
    public void The_sink_with_IO_stays_under_60_lines()
    {
        var lines = File.ReadAllLines(Path.Combine(Repository.Root, "samples", "CustomSink", "HttpSink.cs"));
        var first = Array.FindIndex(lines, static line => line.Contains("class HttpSink(", StringComparison.Ordinal));
        Assert.InRange(Array.FindIndex(lines, first, static line => line == "}") - first + 1, 1, 59);
    }

    // A loss before the flush would be none of the flush.
    private static async Task<bool> FlushedBeforeTheAnswer(LineServer server, IAsyncLogControl control, Action log)
    {
        var flushed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        server.Answers = flushed.Task;
        log();
        var flushing = control.FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
        flushed.SetResult();
        return await flushing;
    }

    private static LogBatch BatchOf(int records) => LogBatch.Create([.. Enumerable.Range(0, records).Select(static i =>
        new BatchRecord(Encoding.UTF8.GetBytes($$"""{"@m":"r{{i}}"}""" + "\n"), LogLevel.Information, DateTimeOffset.UnixEpoch, "Shop"))]);

    private static ServiceProvider Services(LineServer server, params (string Key, string Value)[] settings)
    {
        var values = settings.Select(static pair => KeyValuePair.Create("Logging:Http:" + pair.Key, (string?)pair.Value));
        var configuration = new ConfigurationBuilder().AddInMemoryCollection([new("Logging:Http:Endpoint", server.Address.AbsoluteUri)]).AddInMemoryCollection(values).Build();
        return new ServiceCollection()
            .AddSingleton<IConfiguration>(configuration)
            .AddLogging(builder => builder.AddConfiguration(configuration.GetSection("Logging"))
                .AddAsyncLogSink<HttpSink, HttpSinkOptions>(static (options, context) => new HttpSink(options, context), bind: static (section, options) => section.Bind(options)))
            .Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel) = (false, LogLevel.None))
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

        public string RetryAfter { get; set; } = "7";

        /// <summary>The server answers when it has ended.</summary>
        public Task Answers { get; set; } = Task.CompletedTask;

        /// <summary>True if a request had the header of a trace.</summary>
        public bool HasTraceParent { get; private set; }

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
            HasTraceParent |= context.Request.Headers.ContainsKey("traceparent");
            _keys.Enqueue(context.Request.Headers["Idempotency-Key"].Single()!);
            await Answers;
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
                context.Response.Headers.RetryAfter = RetryAfter;
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
