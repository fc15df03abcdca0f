using System.Diagnostics;
using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Records that are written without an event, once the call is known.</summary>
public sealed partial class FastRecordTests
{
    // Far more than the events that a state and a call need until they are known.
    private const int Times = 40;

    [Theory]
    [InlineData("Text", "Information Test 7 Seven Item 3 of box at 1.5")]
    [InlineData("Json", """EventId":7,"EventName":"Seven","LogLevel":"Information","Category":"Test","Message":"Item 3 of box at 1.5","State":{"Id":3,"Name":"box","Price":1.5,"{OriginalFormat}":"Item {Id} of {Name} at {Price}"}}""")]
    [InlineData("Clef", """@mt":"Item {Id} of {Name} at {Price}","@m":"Item 3 of box at 1.5","SourceContext":"Test","EventId":{"Id":7,"Name":"Seven"},"Id":3,"Name":"box","Price":1.5}""")]
    public async Task Every_record_of_a_call_has_the_same_text(string format, string end)
    {
        var sink = new TestSink();
        using var pipeline = New(sink, format);
        for (var i = 0; i < Times; i++)
            Priced(pipeline.Logger, 3, "box", 1.5);
        for (var i = 0; i < Times; i++)
            pipeline.Logger.LogInformation(new EventId(7, "Seven"), "Item {Id} of {Name} at {Price}", 3, "box", 1.5);
        Assert.True(await pipeline.Flush());
        Assert.Equal(2 * Times, sink.Records.Count);
        Assert.All(sink.Records, record => Assert.EndsWith(end, record, StringComparison.Ordinal));
        pipeline.AssertConservation(2 * Times);
    }

    [Fact]
    public async Task Values_that_need_escapes_or_code_of_users_are_written_although_the_call_is_known()
    {
        var sink = new TestSink();
        using var pipeline = New(sink, "Text");
        foreach (var name in new[] { "line\nbreak", "\u00E4", null, new string('x', 5000) })
        {
            for (var i = 0; i < Times; i++)
                Named(pipeline.Logger, "plain");
            Named(pipeline.Logger, name);
        }

        for (var i = 0; i < Times; i++)
            pipeline.Logger.LogInformation("Name {Name}", "plain");
        Assert.NotNull(SitesOf(pipeline).Find("Name {Name}", default));
        pipeline.Logger.LogInformation("Name {Name}", new Version(1, 2));
        Assert.True(await pipeline.Flush());
        Assert.Equal(5 * Times, sink.Records.Count(static record => record.EndsWith("Name plain", StringComparison.Ordinal)));
        var last = sink.Records.Where(static record => !record.EndsWith("plain", StringComparison.Ordinal)).Select(static record => record[(record.IndexOf("Name ", StringComparison.Ordinal) + 5)..]);
        Assert.Equal(["line\\nbreak", "\u00E4", "(null)", new string('x', 5000), "1.2"], last);
    }

    [Fact]
    public async Task A_call_with_more_or_fewer_arguments_than_placeholders_is_written_as_before()
    {
        var sink = new TestSink();
        using var pipeline = New(sink, "Text");
        const string Template = "Item {Id} of {Name}";
        for (var i = 0; i < Times; i++)
            pipeline.Logger.LogInformation(Template, 1, "box");
        pipeline.Logger.LogInformation(Template, 1, "box", "more");
        pipeline.Logger.LogInformation(Template, 1);
        Assert.True(await pipeline.Flush());
        Assert.Equal(Times + 2, sink.Records.Count);
        Assert.EndsWith(" Item 1 of box", sink.Records[^2], StringComparison.Ordinal);
        Assert.EndsWith(" Item 1 of <error: System.FormatException>", sink.Records[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_formatter_of_a_wrapper_makes_the_message()
    {
        var sink = new TestSink();
        using var pipeline = New(sink, "Text");
        for (var i = 0; i < Times; i++)
            Named(pipeline.Logger, "box");
        Named(new Wrapper(pipeline.Logger), "box");
        Named(pipeline.Logger, "box");
        Assert.True(await pipeline.Flush());
        const string Start = "Information Test 8 Named ";
        Assert.Equal(
            Enumerable.Repeat("Name box", Times).Append("wrapped: Name box").Append("Name box").Select(static message => Start + message), sink.Records);
    }

    [Fact]
    public async Task One_template_with_several_event_ids_keeps_each()
    {
        var sink = new TestSink();
        using var pipeline = New(sink, "Text");
        for (var i = 0; i < Times; i++)
        {
            foreach (var id in new[] { new EventId(1), new EventId(2), new EventId(2, "Two"), new EventId(0, "None") })
                pipeline.Logger.LogInformation(id, "Id of {Name}", id.Id + id.Name);
        }

        Assert.True(await pipeline.Flush());
        string[] expected = ["1  Id of 1", "2  Id of 2", "2 Two Id of 2Two", "0 None Id of 0None"];
        Assert.Equal(
            Enumerable.Repeat(expected, Times).SelectMany(static four => four), sink.Records.Select(static record => record["Information Test ".Length..]));
    }

    [Theory]
    [InlineData("Json", "\"Scopes\":[\"outer\"]", "\"TraceId\":")]
    [InlineData("Clef", "\"Scope\":[\"outer\"]", "\"@tr\":")]
    public async Task Scopes_and_an_activity_are_in_the_record_of_a_call_that_had_none(string format, string scope, string trace)
    {
        var sink = new TestSink();
        using var pipeline = New(sink, format);
        for (var i = 0; i < Times; i++)
            Named(pipeline.Logger, "box");
        using (pipeline.Logger.BeginScope("outer"))
            Named(pipeline.Logger, "box");
        string traceId;
        using (var activity = new Activity("work").Start())
        {
            traceId = activity.TraceId.ToHexString();
            Named(pipeline.Logger, "box");
        }

        Named(pipeline.Logger, "box");
        Assert.True(await pipeline.Flush());
        Assert.Equal(Times + 3, sink.Records.Count);
        Assert.Contains(scope, sink.Records[^3], StringComparison.Ordinal);
        Assert.Contains($"{trace}\"{traceId}\"", sink.Records[^2], StringComparison.Ordinal);
        Assert.DoesNotContain(trace, sink.Records[^1], StringComparison.Ordinal);
        Assert.DoesNotContain(scope, sink.Records[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_scope_of_another_factory_is_in_the_records_of_that_factory_only()
    {
        var (firstSink, secondSink) = (new TestSink(), new TestSink());
        using var first = New(firstSink, "Json");
        using var second = New(secondSink, "Json");
        for (var i = 0; i < Times; i++)
        {
            Named(first.Logger, "box");
            Named(second.Logger, "box");
        }

        using (second.Logger.BeginScope("outer"))
        {
            Named(first.Logger, "box");
            Named(second.Logger, "box");
            Named(first.Logger, "box");
        }

        Named(second.Logger, "box");
        Assert.True(await first.Flush());
        Assert.True(await second.Flush());
        Assert.Equal((Times + 2, Times + 2), (firstSink.Records.Count, secondSink.Records.Count));
        Assert.All(firstSink.Records, static record => Assert.DoesNotContain("outer", record, StringComparison.Ordinal));
        Assert.Contains("outer", secondSink.Records[^2], StringComparison.Ordinal);
        Assert.DoesNotContain("outer", secondSink.Records[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_scope_of_a_provider_without_an_execution_context_is_in_the_record()
    {
        var sink = new TestSink();
        var scopes = new GlobalScopes();
        using var pipeline = New(sink, "Json");
        ((ISupportExternalScope)pipeline.Provider).SetScopeProvider(scopes);
        for (var i = 0; i < Times; i++)
            Named(pipeline.Logger, "box");
        scopes.Scope = "outer";
        Named(pipeline.Logger, "box");
        Assert.True(await pipeline.Flush());
        Assert.DoesNotContain("outer", sink.Records[^2], StringComparison.Ordinal);
        Assert.Contains("outer", sink.Records[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_scope_is_in_the_record_while_the_flow_of_the_execution_context_is_suppressed()
    {
        var sink = new TestSink();
        using var pipeline = New(sink, "Json");
        for (var i = 0; i < Times; i++)
            Named(pipeline.Logger, "box");
        using (ExecutionContext.SuppressFlow())
        {
            Named(pipeline.Logger, "box");
            using (pipeline.Logger.BeginScope("outer"))
                Named(pipeline.Logger, "box");
            Named(pipeline.Logger, "box");
        }

        Assert.True(await pipeline.Flush());
        Assert.Equal([false, true, false], sink.Records.TakeLast(3).Select(static record => record.Contains("outer", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task A_clock_that_logs_or_throws_loses_no_record()
    {
        var sink = new TestSink();
        var clock = new LoggingClock();
        using var pipeline = new TestPipeline(sink, static options => options.Template = "{Level} {Message}{NewLine}", clock);
        for (var i = 0; i < Times; i++)
            Named(pipeline.Logger, "box");
        clock.Action = () => Named(pipeline.Logger, "inner");
        Named(pipeline.Logger, "outer");
        clock.Action = static () => throw new InvalidOperationException("no time");
        Named(pipeline.Logger, "lost");
        Named(pipeline.Logger, "last");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["Information Name inner", "Information Name outer", "Information Name lost", "Information Name last"], sink.Records.Skip(Times));
        pipeline.AssertConservation(Times + 4);
    }

    [Fact]
    public async Task A_changed_template_applies_to_calls_that_are_known()
    {
        using var pipeline = new ReloadPipeline(("Template", "one {Message}{NewLine}"));
        for (var i = 0; i < Times; i++)
            Named(pipeline.Logger, "box");
        pipeline.Edit(("Template", "two {Message}{NewLine}"));
        for (var i = 0; i < Times; i++)
            Named(pipeline.Logger, "box");
        Assert.True(await pipeline.Flush());
        var records = pipeline.Sinks.SelectMany(static sink => sink.Text.Split('\n')).ToList();
        Assert.Equal(Times, records.Count(static record => record == "one Name box"));
        Assert.Equal(Times, records.Count(static record => record == "two Name box"));
    }

    [Fact]
    public void A_level_keeps_the_calls_that_come_again_up_to_a_limit()
    {
        using var pipeline = New(new TestSink(), "Text");
        var sites = SitesOf(pipeline);
        var owners = Enumerable.Range(0, 3000).Select(static _ => new object()).ToList();
        foreach (var owner in owners)
        {
            if (!IsSeen(sites, owner, default) && IsSeen(sites, owner, default))
                sites.Add(new CallSite(owner, default, []));
        }

        var kept = owners.Where(owner => sites.Find(owner, default) is not null).ToList();
        Assert.InRange(kept.Count, 500, 1024);
        Assert.All(kept, owner => Assert.Same(owner, sites.Find(owner, default)!.Owner));
        Assert.Null(sites.Find(kept[0], new EventId(1)));
        Assert.Null(sites.Find(kept[0], new EventId(0, "named")));
    }

    [Theory]
    [InlineData(2)]
    [InlineData(5)]
    [InlineData(10)]
    [InlineData(20)]
    [InlineData(50)]
    [InlineData(100)]
    [InlineData(300)]
    public void Calls_that_log_in_turn_become_known(int count)
    {
        using var pipeline = New(new TestSink(), "Text");
        var templates = Enumerable.Range(0, count).Select(number => $"{count} in turn, {number} of {{Name}}").ToArray();
        for (var round = 0; round < 200; round++)
        {
            foreach (var template in templates)
                pipeline.Logger.LogInformation(template, "box");
        }

        var sites = SitesOf(pipeline);
        var unknown = templates.Where(template => sites.Find(template, default) is null).ToList();
        Assert.InRange(unknown.Count, 0, count / 100);
    }

    [Fact]
    public void A_call_is_added_only_if_its_event_id_comes_again()
    {
        using var pipeline = New(new TestSink(), "Text");
        var sites = SitesOf(pipeline);
        var owner = new object();
        for (var id = 1; id <= 3000; id++)
            Assert.False(IsSeen(sites, owner, id));
        Assert.False(IsSeen(sites, owner, 3001));
        Assert.True(IsSeen(sites, owner, 3001));
    }

    [Fact]
    public void What_was_in_vain_is_seldom_tried_until_it_succeeds()
    {
        var misses = default(MissCounter);
        var tried = 0;
        for (var i = 0; i < 1000; i++)
        {
            if (!misses.IsWorthTrying())
                continue;
            tried++;
            misses.Count(isSuccess: false);
        }

        // Eight in a row, then one of 64 or so.
        Assert.InRange(tried, 8 + 14, 8 + 16);
        misses.Count(isSuccess: true);
        for (var i = 0; i < 8; i++)
            Assert.True(misses.IsWorthTrying());
    }

    [Fact]
    public async Task A_scope_provider_that_throws_is_asked_once_for_most_records()
    {
        var sink = new TestSink();
        var scopes = new ThrowingScopes();
        using var pipeline = New(sink, "Json");
        ((ISupportExternalScope)pipeline.Provider).SetScopeProvider(scopes);
        for (var i = 0; i < Times; i++)
            Named(pipeline.Logger, "box");
        (scopes.Throws, scopes.Asked) = (true, 0);
        for (var i = 0; i < 1000; i++)
            Named(pipeline.Logger, "box");
        Assert.True(await pipeline.Flush());
        Assert.Equal(Times + 1000, sink.Records.Count);
        Assert.InRange(scopes.Asked, 1000, 1030);
    }

    [Fact]
    public void The_layout_of_a_state_is_known_although_the_first_events_come_from_two_threads()
    {
        for (var round = 0; round < 200; round++)
        {
            var logger = new NewReaderLogger();
            using var start = new Barrier(2);
            var threads = Enumerable.Range(0, 2).Select(_ => new Thread(() =>
            {
                start.SignalAndWait();
                for (var i = 0; i < 16; i++)
                    logger.LogInformation("Threads {Name}", "box");
            })).ToList();
            threads.ForEach(static thread => thread.Start());
            threads.ForEach(static thread => thread.Join());
            Assert.NotNull(logger.Reader!.OpenLayout);
        }
    }

    [Fact]
    public void The_layout_of_a_state_is_known_although_calls_with_too_many_arguments_come_first()
    {
        var logger = new NewReaderLogger();
        // Twice the events after which the layout is looked for.
        for (var i = 0; i < 32; i++)
            logger.LogInformation("Arguments {Name}", "box", "more");
        Assert.Null(logger.Reader!.OpenLayout);
        for (var i = 0; i < 16; i++)
            logger.LogInformation("Arguments {Name}", "box");
        Assert.NotNull(logger.Reader.OpenLayout);
    }

    [Fact]
    public async Task A_template_that_is_built_for_each_call_is_not_kept()
    {
        var sink = new TestSink();
        using var pipeline = New(sink, "Text");
        var templates = Enumerable.Range(0, 3 * Times).Select(static _ => new string("Built for {Name}")).ToList();
        foreach (var template in templates)
            pipeline.Logger.LogInformation(template, "box");
        Assert.True(await pipeline.Flush());
        Assert.Equal(3 * Times, sink.Records.Count);
        Assert.All(sink.Records, static record => Assert.EndsWith(" Built for box", record, StringComparison.Ordinal));
        Assert.All(templates, template => Assert.Null(SitesOf(pipeline).Find(template, default)));
    }

    private static bool IsSeen(CallSiteTable sites, object owner, EventId id)
    {
        Assert.Null(sites.FindOrNote(owner, id, out var isSeen));
        return isSeen;
    }

    private static CallSiteTable SitesOf(TestPipeline pipeline) => ((SinkLogger)pipeline.Provider.CreateLogger("Test")).Plan.For(LogLevel.Information).Sites;

    private static TestPipeline New(TestSink sink, string format)
        => new(sink, options => (options.Format, options.Template) = (format, format == "Text" ? "{Level} {Category} {EventId} {EventName} {Message}{NewLine}{Exception}" : null));

    [LoggerMessage(7, LogLevel.Information, "Item {Id} of {Name} at {Price}", EventName = "Seven")]
    private static partial void Priced(ILogger logger, int id, string name, double price);

    [LoggerMessage(8, LogLevel.Information, "Name {Name}")]
    private static partial void Named(ILogger logger, string? name);

    private sealed class Wrapper(ILogger inner) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => inner.BeginScope(state);

        public bool IsEnabled(LogLevel logLevel) => inner.IsEnabled(logLevel);

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            => inner.Log(logLevel, eventId, state, exception, (same, fault) => "wrapped: " + formatter(same, fault));
    }

    private sealed class GlobalScopes : IExternalScopeProvider
    {
        public object? Scope { get; set; }

        public void ForEachScope<TState>(Action<object?, TState> callback, TState state)
        {
            if (Scope is not null)
                callback(Scope, state);
        }

        public IDisposable Push(object? state) => throw new NotSupportedException();
    }

    private sealed class ThrowingScopes : IExternalScopeProvider
    {
        public bool Throws { get; set; }

        /// <summary>How often the scopes were wanted.</summary>
        public int Asked { get; set; }

        public void ForEachScope<TState>(Action<object?, TState> callback, TState state)
        {
            Asked++;
            if (Throws)
                throw new InvalidOperationException("no scopes");
        }

        public IDisposable Push(object? state) => throw new NotSupportedException();
    }

    /// <summary>Reads the states of one type by a reader of its own, which knows nothing yet.</summary>
    private sealed class NewReaderLogger : ILogger
    {
        private static readonly LogCategory Category = new("Test");
        private StateReader? _reader;

        public StateReader? Reader => _reader;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (_reader is null)
                Interlocked.CompareExchange(ref _reader, (StateReader)Activator.CreateInstance(StateReader<TState>.Instance.GetType())!, null);
            var context = CaptureContext.Current;
            Assert.True(context.TryEnter());
            context.Event.Begin(0, logLevel, Category, eventId, exception, null, 4096);
            ((StateReader<TState>)_reader).Read(ref state, formatter, context.Event);
            context.Exit();
        }
    }

    private sealed class LoggingClock : TimeProvider
    {
        /// <summary>What the next reading of the time does first; once.</summary>
        public Action? Action { get; set; }

        public override DateTimeOffset GetUtcNow()
        {
            var action = Action;
            Action = null;
            action?.Invoke();
            return base.GetUtcNow();
        }
    }
}
