using System.Buffers;
using System.Diagnostics;
using System.Text;
using System.Text.Json;
using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Formatting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>What callers, their values and their formatters do wrong, through a whole pipeline.</summary>
public sealed class CallerFaultTests
{
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(60);

    // log4shell and its relatives: text that other libraries look up, format or expand.
    private static readonly string[] Payloads =
    [
        "${jndi:ldap://127.0.0.1:1/a}", "${env:PATH}", "${lower:${::-j}}ndi", "%s%n%x", "%PATH%", "{0}", "{0:N2}", "{{0}}", "{", "}", "{Message}", "{@Secret}", "$(id)", "`id`", "<!--#exec cmd=\"id\"-->", "%{GLOBAL:x}", "#{7*7}",
    ];

    [Theory]
    [InlineData(QueueFullMode.Wait)]
    [InlineData(QueueFullMode.DropWrite)]
    public async Task A_value_that_waits_for_a_lock_of_another_logging_thread_blocks_only_its_own_caller(QueueFullMode mode)
    {
        using var written = new ManualResetEventSlim();
        using var inText = new ManualResetEventSlim();
        using var isHeld = new ManualResetEventSlim();
        var gate = new object();
        var sink = new TestSink { Before = _ => written.Wait(Deadline) };
        using var pipeline = new TestPipeline(sink, options => (options.QueueFullMode, options.WaitTimeout, options.MaxQueueLength, options.ReservedPercentage) = (mode, Deadline, 10, 0));

        // Holds the lock and fills the queue; with Wait it is held there until the sink writes again.
        var holder = Start(() =>
        {
            lock (gate)
            {
                isHeld.Set();
                inText.Wait(Deadline);
                for (var i = 0; i < 100; i++)
                    pipeline.Logger.LogInformation("filler");
            }
        });
        Assert.True(isHeld.Wait(Deadline));
        var waiter = Start(() => pipeline.Logger.LogInformation("{Value}", new Locking(gate, inText)));
        Assert.True(inText.Wait(Deadline));
        if (mode == QueueFullMode.Wait)
        {
            Eventually.True(() => pipeline.Status.QueueSize + pipeline.Status.InFlight >= 10);
            Assert.True(waiter.IsAlive);
        }
        else
        {
            Assert.True(holder.Join(Deadline));
        }

        // The state of the queue can be read, and a logger that needs no lock is not held by the two.
        Assert.True(pipeline.Status.Offered > 0);
        var otherSink = new TestSink();
        using (var other = new TestPipeline(otherSink))
        {
            other.Logger.LogInformation("other");
            Assert.True(await other.Flush());
        }
        Assert.Equal(["other"], otherSink.Records);
        written.Set();
        Assert.True(holder.Join(Deadline));
        Assert.True(waiter.Join(Deadline));
        Assert.True(await pipeline.Flush());
        var status = pipeline.Status;
        Counters.AssertAddUp(status, 101);
        if (mode == QueueFullMode.Wait)
            Assert.Equal((101, 0), (sink.Records.Count, (int)status.Dropped));
    }

    [Theory]
    [InlineData(1 << 16)]
    [InlineData(100 << 20)]
    public async Task A_formatter_that_writes_too_much_leaves_a_placeholder(int piece)
    {
        const int Length = 100 << 20;
        using var custom = new CustomLayout((logEvent, output) =>
        {
            for (var left = Length; left > 0; left -= piece)
            {
                output.GetSpan(Math.Min(piece, left))[0] = (byte)logEvent.Level;
                output.Advance(Math.Min(piece, left));
            }
        });
        custom.Logger.LogInformation("first");
        var status = await custom.FlushAsync();
        Assert.Equal(["<record of 104857600 bytes exceeds MaxRecordSize>"], custom.Sink.Records);
        Assert.Equal((1, 0), (status.Truncated, status.RenderErrors));
    }

    [Fact]
    public async Task A_formatter_that_throws_or_writes_nothing_leaves_a_placeholder()
    {
        using var custom = new CustomLayout((logEvent, output) =>
        {
            if (logEvent.Level == LogLevel.Error)
                return;
            BuffersExtensions.Write(output, "half a record"u8);
            throw new IOException();
        });
        custom.Logger.LogInformation("throws");
        custom.Logger.LogError("nothing");
        var status = await custom.FlushAsync();
        Assert.Equal(["<error formatting record: System.IO.IOException>", "<empty record>"], custom.Sink.Records);
        Assert.Equal((0, 2), (status.Truncated, status.RenderErrors));
    }

    [Fact]
    public async Task A_formatter_writes_its_own_error_record_and_knows_its_limit()
    {
        using var custom = new CustomLayout((logEvent, output) =>
        {
            if (logEvent.Level == LogLevel.Error)
                throw new IOException();
            BuffersExtensions.Write(output, new byte[logEvent.Level == LogLevel.Warning ? 0 : logEvent.MaxRecordSize + 1]);
        })
        {
            Error = static (logEvent, error, output) => BuffersExtensions.Write(output, Encoding.UTF8.GetBytes($"!{logEvent.Level} {logEvent.MaxRecordSize} {error}\n")),
        };
        custom.Logger.LogError("throws");
        custom.Logger.LogWarning("nothing");
        custom.Logger.LogInformation("too much");
        var status = await custom.FlushAsync();
        Assert.Equal(
            ["!Error 65536 <error formatting record: System.IO.IOException>", "!Warning 65536 <empty record>", "!Information 65536 <record of 65537 bytes exceeds MaxRecordSize>"],
            custom.Sink.Records);
        Assert.Equal((1, 2), (status.Truncated, status.RenderErrors));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(0)]
    [InlineData(70_000)]
    public async Task An_error_record_that_fails_too_is_a_line_of_text(int length)
    {
        using var custom = new CustomLayout(static (_, _) => throw new IOException())
        {
            Error = (_, _, output) => BuffersExtensions.Write(output, length >= 0 ? new byte[length] : throw new FormatException()),
        };
        custom.Logger.LogInformation("record");
        var status = await custom.FlushAsync();
        Assert.Equal(["<error formatting record: System.IO.IOException>"], custom.Sink.Records);
        Assert.Equal((0, 1), (status.Truncated, status.RenderErrors));
    }

    [Fact]
    public async Task A_message_formatter_that_throws_or_returns_100_MB_does_no_harm()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.Log(LogLevel.Information, default, 1, null, static (_, _) => throw new FormatException());
        pipeline.Logger.Log(LogLevel.Information, default, 1, null, static (_, _) => null!);
        pipeline.Logger.Log(LogLevel.Information, default, 1, null, static (_, _) => new string('x', 100 << 20));
        pipeline.Logger.Log(LogLevel.Information, default, 1, null, null!);
        Assert.True(await pipeline.Flush());
        Assert.Equal(4, sink.Records.Count);
        Assert.Equal("<error formatting message: System.FormatException>", sink.Records[0]);
        Assert.Equal("", sink.Records[1]);
        Assert.EndsWith("... [truncated, 104857601 bytes]", sink.Records[2], StringComparison.Ordinal);
        Assert.InRange(sink.Records[2].Length, 60 << 10, 64 << 10);
        // The line names the missing formatter; OpenTelemetry .NET takes the text of the state.
        Assert.Equal("<error formatting message: System.NullReferenceException>", sink.Records[3]);
        Assert.Equal((1, 2), (pipeline.Status.Truncated, pipeline.Status.RenderErrors));
    }

    [Theory]
    [InlineData("Text")]
    [InlineData("Json")]
    [InlineData("Clef")]
    public async Task The_content_of_a_record_is_captured_before_the_call_returns(string format)
    {
        using var stalled = new ManualResetEventSlim();
        using var isTaken = new ManualResetEventSlim();
        var seen = new List<string?>();
        // Set before there is a worker, which must not have been started in the context of this caller.
        var ambient = new AsyncLocal<string?> { Value = "of the caller" };
        var sink = new TestSink
        {
            Before = _ =>
            {
                isTaken.Set();
                stalled.Wait(Deadline);
                seen.Add(ambient.Value);
            },
        };
        using var pipeline = new TestPipeline(sink, options => (options.Format, options.Template) = (format, format == "Text" ? "{Message}|{Properties}|{Scopes}|{TraceId}" : null));
        pipeline.Logger.LogInformation("taken");
        Assert.True(isTaken.Wait(Deadline));
        var request = new Request { Path = "/cart" };
        string trace;
        using (var activity = new Activity("request").SetIdFormat(ActivityIdFormat.W3C).Start())
        using (pipeline.Logger.BeginScope(new Dictionary<string, object?> { ["Context"] = request }))
        {
            trace = activity.TraceId.ToHexString();
            pipeline.Logger.Log(LogLevel.Information, default, new KeyValuePair<string, object?>[] { new("Path", request) }, null, static (state, _) => $"at {state[0].Value}");
        }
        // The server gives the context back while the record still waits.
        request.Finish();
        stalled.Set();
        Assert.True(await pipeline.Flush());
        var record = sink.Records[1];
        Assert.Contains("at GET /cart", record, StringComparison.Ordinal);
        Assert.Contains(trace, record, StringComparison.Ordinal);
        Assert.Equal(format == "Text" ? 4 : 3, record.Split("GET /cart").Length - 1);
        Assert.DoesNotContain("error", record, StringComparison.Ordinal);
        // And nothing of the caller's context flows to the worker.
        Assert.NotEmpty(seen);
        Assert.All(seen, Assert.Null);
    }

    [Theory]
    [InlineData("Text")]
    [InlineData("Json")]
    [InlineData("Clef")]
    public async Task A_state_that_changes_after_the_call_is_written_as_it_was(string format)
    {
        using var isTaken = new ManualResetEventSlim();
        using var stalled = new ManualResetEventSlim();
        var sink = new TestSink
        {
            Before = _ =>
            {
                isTaken.Set();
                stalled.Wait(Deadline);
            },
        };
        using var pipeline = new TestPipeline(sink, options => (options.Format, options.Template) = (format, format == "Text" ? "{Message}|{Properties}" : null));
        pipeline.Logger.LogInformation("taken");
        Assert.True(isTaken.Wait(Deadline));
        var items = new List<string> { "before" };
        var text = new System.Text.StringBuilder("before");
        var state = new List<KeyValuePair<string, object?>> { new("Items", items), new("Text", text), new("Name", "before") };
        pipeline.Logger.Log(LogLevel.Information, default, state, null, static (state, _) => $"message {state[2].Value}");

        state[2] = new("Name", "after");
        state.Add(new("More", "after"));
        items[0] = "after";
        text.Clear().Append("after");
        stalled.Set();

        Assert.True(await pipeline.Flush());
        Assert.Contains("message before", sink.Records[1], StringComparison.Ordinal);
        Assert.Equal(4, sink.Records[1].Split("before").Length - 1);
        Assert.DoesNotContain("after", sink.Records[1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_caller_without_an_execution_context_logs_like_any_other()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, options => options.Template = "{Message}|{TraceId}{Scopes}");
        Thread thread;
        using (new Activity("request").Start())
        using (pipeline.Logger.BeginScope("scope"))
        using (ExecutionContext.SuppressFlow())
            thread = Start(() => pipeline.Logger.LogInformation("lost"));
        Assert.True(thread.Join(Deadline));
        Assert.True(await pipeline.Flush());
        Assert.Equal(["lost|"], sink.Records);
    }

    [Theory]
    [InlineData("Text")]
    [InlineData("Json")]
    [InlineData("Clef")]
    public void A_message_of_100_MB_costs_the_caller_a_small_multiple_of_the_largest_record(string format)
    {
        const int MaxRecordSize = 64 << 10;
        var huge = new string('m', 100 << 20);
        var key = new string('k', 10 << 20);
        var sink = new TestSink();
        using (var pipeline = new TestPipeline(sink, options => (options.Format, options.Template, options.MaxRecordSize) = (format, format == "Text" ? "{Message} {Properties}{NewLine}" : null, MaxRecordSize)))
        {
            // First what is made once: the queue's segments, the thread's scratch, compiled code.
            pipeline.Logger.LogInformation("{M}", new string('m', 1 << 20));
            // Of this thread alone, so that tests beside this one do not count: 8 MB for two times 100 MB, most of it buffers that double until four times the limit is in them.
            var before = GC.GetAllocatedBytesForCurrentThread();
            pipeline.Logger.LogInformation("{M}", huge);
            pipeline.Logger.Log(LogLevel.Information, default, new KeyValuePair<string, object?>[] { new(key, huge) }, null, static (_, _) => "m");
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 2 * 64 * MaxRecordSize);
        }
        Assert.Equal(3, sink.Records.Count);
        Assert.All(sink.Records, record => Assert.InRange(Encoding.UTF8.GetByteCount(record), 1, MaxRecordSize - 1));
        if (format == "Text")
            Assert.Contains("[truncated, 1048", sink.Records[1], StringComparison.Ordinal);
        else
            Assert.InRange(JsonDocument.Parse(sink.Records[1]).RootElement.GetProperty("Truncated").GetInt64(), 100 << 20, 300 << 20);
    }

    [Fact]
    public void Beyond_the_size_of_the_table_a_million_categories_share_one_number_and_a_neutral_name()
    {
        var table = new CategoryTable();
        var wrong = 0;
        for (var i = 0; i < 1_000_000; i++)
            wrong += table.Add(i.ToString(System.Globalization.CultureInfo.InvariantCulture)) == Math.Min(i, 262_143) ? 0 : 1;
        Assert.Equal(0, wrong);
        Assert.Equal("262142", table.NameOf(262_142));
        Assert.Equal(262_143, table.Add("one more"));
        Assert.Equal("(one of more than 262143 categories)", table.NameOf(262_143));
    }

    [Theory]
    [InlineData("Text")]
    [InlineData("Json")]
    [InlineData("Clef")]
    public async Task Text_that_other_libraries_would_expand_is_written_verbatim(string format)
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, options => (options.Format, options.Template) = (format, format == "Text" ? "{Category}|{EventName}|{Message}|{Properties}|{Scopes}{NewLine}{Exception}" : null));
        foreach (var payload in Payloads)
        {
            var logger = pipeline.Factory.CreateLogger(payload);
            using var scope = logger.BeginScope(new Dictionary<string, object?> { ["scope" + payload] = "in" + payload });
            logger.Log(LogLevel.Information, new EventId(1, payload), new KeyValuePair<string, object?>[] { new(payload, "v" + payload) }, new StubException("x" + payload), (_, _) => "m" + payload);
            logger.LogInformation("{User}", payload);
        }
        Assert.True(await pipeline.Flush());
        Assert.Equal(2 * Payloads.Length, sink.Records.Count);
        for (var i = 0; i < Payloads.Length; i++)
        {
            var payload = format == "Text" ? Payloads[i] : JsonEncodedText(Payloads[i]);
            foreach (var text in new[] { "m", "v", "x", "scope", "in" }.Select(prefix => prefix + payload))
                Assert.Contains(format == "Text" ? text.Replace("\"", text.StartsWith('v') || text.StartsWith("in", StringComparison.Ordinal) ? "\\\"" : "\"", StringComparison.Ordinal) : text, sink.Records[2 * i], StringComparison.Ordinal);
            var message = format switch
            {
                "Json" => $",\"Message\":\"{payload}\",\"State\":{{\"User\":\"{payload}\",",
                "Clef" => $",\"@m\":\"{payload}\",",
                _ => $"{payload}||{payload}|scope",
            };
            Assert.Contains(message, sink.Records[(2 * i) + 1], StringComparison.Ordinal);
            var (category, eventName) = format switch
            {
                "Json" => ($"\"Category\":\"{payload}\"", $"\"EventName\":\"{payload}\""),
                "Clef" => ($"\"SourceContext\":\"{payload}\"", $"\"EventId\":{{\"Id\":1,\"Name\":\"{payload}\"}}"),
                _ => ($"{payload}|", $"{payload}|{payload}|m{payload}|"),
            };
            Assert.Contains(category, sink.Records[2 * i], StringComparison.Ordinal);
            Assert.Contains(category, sink.Records[(2 * i) + 1], StringComparison.Ordinal);
            Assert.Contains(eventName, sink.Records[2 * i], StringComparison.Ordinal);
        }
    }

    [Fact]
    public void User_text_as_a_template_never_throws_and_is_written_as_MEL_writes_it()
    {
        foreach (var payload in Payloads)
        {
            var logger = new CapturingLogger();
#pragma warning disable CA2254 // What CA2254 warns of is what is tested.
            logger.LogInformation(payload);
#pragma warning restore CA2254
            Assert.Equal(payload, logger.Message);
        }
    }

    private static string JsonEncodedText(string text) => text.Replace("\"", "\\\"", StringComparison.Ordinal);

    private static Thread Start(Action action)
    {
        var thread = new Thread(() => action()) { IsBackground = true };
        thread.Start();
        return thread;
    }

    private sealed class Locking(object gate, ManualResetEventSlim inText)
    {
        public override string ToString()
        {
            inText.Set();
            lock (gate)
                return "text";
        }
    }

    /// <summary>As an HttpContext: of use only as long as its request lasts.</summary>
    private sealed class Request
    {
        private bool _isFinished;

        public string Path { get; init; } = "";

        public void Finish() => Volatile.Write(ref _isFinished, true);

        public override string ToString() => Volatile.Read(ref _isFinished) ? throw new ObjectDisposedException(nameof(Request)) : $"GET {Path}";
    }

    private sealed class CustomLayout : ILogFormatter, IDisposable
    {
        private readonly Action<LogEvent, IBufferWriter<byte>> _format;
        private readonly ServiceProvider _services;

        public CustomLayout(Action<LogEvent, IBufferWriter<byte>> format)
        {
            _format = format;
            var services = new ServiceCollection();
            services.AddLogging(builder => builder
                .AddAsyncLogFormatter("mine", this)
                .AddSink<TestLoggerProvider, TestOptions>(new TestDefinition<TestOptions>("test", (_, _) => Sink), static options => options.Format = "mine"));
            services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.FlushOnCrash, options.SelfReportLevel) = (false, false, LogLevel.None));
            _services = services.BuildServiceProvider();
            Logger = _services.GetRequiredService<ILoggerFactory>().CreateLogger("C");
        }

        public TestSink Sink { get; } = new();

        public ILogger Logger { get; }

        public async Task<SinkStatus> FlushAsync()
        {
            var control = _services.GetRequiredService<IAsyncLogControl>();
            Assert.True(await control.FlushAsync(Deadline, TestContext.Current.CancellationToken));
            return control.GetStatus().Instances[0];
        }

        /// <summary>Null: a line of text, as formatters that do not implement it.</summary>
        public Action<LogEvent, string, IBufferWriter<byte>>? Error { get; init; }

        public void Format(LogEvent logEvent, IBufferWriter<byte> output) => _format(logEvent, output);

        void ILogFormatter.FormatError(LogEvent logEvent, string error, IBufferWriter<byte> output)
        {
            if (Error is null)
                ((ILogFormatter)new ByDefault()).FormatError(logEvent, error, output);
            else
                Error(logEvent, error, output);
        }

        public void Dispose() => _services.Dispose();

        private sealed class ByDefault : ILogFormatter
        {
            public void Format(LogEvent logEvent, IBufferWriter<byte> output)
            {
            }
        }
    }
}
