using System.Diagnostics;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>What a thread keeps of scopes is never that of another request, or of before a change.</summary>
public sealed partial class ChangedScopeTests
{
    // Far more than the events that a state and a call need until they are known.
    private const int Times = 40;

    [Fact]
    public async Task One_object_within_two_scopes_in_turn_has_the_scope_of_each()
    {
        var sink = new TestSink();
        using var pipeline = New(sink);
        const string Inner = "inner";
        for (var i = 0; i < Times; i++)
        {
            var outer = i % 2 == 0 ? "first" : "second";
            using (pipeline.Logger.BeginScope(outer))
            using (pipeline.Logger.BeginScope(Inner))
                Named(pipeline.Logger, outer);
        }

        Assert.True(await pipeline.Flush());
        Assert.Equal(Enumerable.Range(0, Times).Select(static i => i % 2 == 0 ? "Name first => first => inner" : "Name second => second => inner"), sink.Records);
    }

    [Fact]
    public async Task A_value_that_is_changed_in_a_dictionary_is_the_changed_one_in_the_next_record()
    {
        var sink = new TestSink();
        using var pipeline = New(sink);
        var scope = new Dictionary<string, object?> { ["Step"] = "none" };
        using (pipeline.Logger.BeginScope(scope))
        {
            for (var i = 0; i < Times; i++)
            {
                scope["Step"] = i;
                Named(pipeline.Logger, "one");
                Named(pipeline.Logger, "two");
            }

            scope.Add("More", "added");
            Named(pipeline.Logger, "three");
            scope.Remove("Step");
            Named(pipeline.Logger, "four");
        }

        Assert.True(await pipeline.Flush());
        var expected = Enumerable.Range(0, Times).SelectMany(static i => new[] { $"Name one => Step:{i}", $"Name two => Step:{i}" });
        Assert.Equal(expected.Append($"Name three => Step:{Times - 1}, More:added").Append("Name four => More:added"), sink.Records);
    }

    [Fact]
    public async Task A_value_that_is_changed_in_the_arguments_of_a_template_is_the_changed_one_in_the_next_record()
    {
        var sink = new TestSink();
        using var pipeline = New(sink);
        var arguments = new object[] { "none", 7 };
        using (pipeline.Logger.BeginScope("Step {Step} of {Count}", arguments))
        {
            for (var i = 0; i < Times; i++)
            {
                arguments[0] = i;
                Named(pipeline.Logger, "one");
                Named(pipeline.Logger, "two");
            }
        }

        Assert.True(await pipeline.Flush());
        Assert.Equal(Enumerable.Range(0, Times).SelectMany(static i => new[] { $"Name one => Step {i} of 7", $"Name two => Step {i} of 7" }), sink.Records);
    }

    [Fact]
    public async Task A_scope_that_holds_what_has_its_own_text_is_read_for_each_record()
    {
        var sink = new TestSink();
        using var pipeline = New(sink);
        var value = new Counter();
        using (pipeline.Logger.BeginScope(new Dictionary<string, object?> { ["Counter"] = value }))
        {
            for (var i = 0; i < Times; i++)
            {
                value.Number = i;
                Named(pipeline.Logger, "box");
            }
        }

        Assert.True(await pipeline.Flush());
        Assert.Equal(Enumerable.Range(0, Times).Select(static i => $"Name box => Counter:{i}"), sink.Records);
    }

    [Fact]
    public async Task Scopes_that_a_layout_has_twice_keep_the_text_before_each()
    {
        var sink = new TestSink();
        var type = new TestDefinition<TestOptions>("test", (_, _) => sink) { Layout = static (_, layout) => layout with { DefaultTemplate = "{Level} {Scopes}|{Message}{NewLine}" } };
        // Without a template of its own, an instance that includes scopes has them after the message, too.
        using var pipeline = new TestPipeline(sink, static options => (options.Template, options.IncludeScopes) = (null, true), type: type);
        using (pipeline.Logger.BeginScope("outer"))
        {
            for (var i = 0; i < Times; i++)
                Named(pipeline.Logger, "box");
        }

        Assert.True(await pipeline.Flush());
        Assert.Equal(Enumerable.Repeat("Information => outer|Name box => outer", Times), sink.Records);
    }

    [Fact]
    public void A_call_inside_the_scopes_of_ASP_NET_Core_and_an_activity_needs_no_event()
    {
        using var captured = new ScopeCapture();
        using var factory = LoggerFactory.Create(builder => builder.Configure(static options => options.ActivityTrackingOptions = ActivityTrackingOptions.TraceId | ActivityTrackingOptions.SpanId | ActivityTrackingOptions.ParentId).AddProvider(captured));
        var logger = factory.CreateLogger("Test");
        using var activity = new Activity("request").SetIdFormat(ActivityIdFormat.W3C).Start();
        RandomScopes.BeginAction(logger);
        logger.BeginScope("User {User} in {Tenant}", "u1", 7);
        logger.BeginScope(new Dictionary<string, object> { ["Order"] = 1 });
        logger.BeginScope("text");
        var scopes = new List<object?>();
        captured.Scopes!.ForEachScope(static (scope, all) => all.Add(scope), scopes);
        // Six that were begun, and that of the activity.
        Assert.Equal(7, scopes.Count);
        JsonRecordLayout[] layouts = [new JsonLayout(Formatting.Said.Json(), TimeProvider.System), new ClefLayout(Formatting.Said.Clef())];
        foreach (var layout in layouts)
        {
            var texts = new CallScratch().Contexts;
            Assert.True(texts.Find(layout, captured.Scopes) is { IsEmpty: false, HasScopes: true });
            // The same one, without a second look.
            Assert.Same(texts.Find(layout, captured.Scopes), texts.Find(layout, captured.Scopes));
        }
    }

    [Fact]
    public async Task A_scope_and_an_activity_that_ended_are_collected_although_records_were_logged_inside()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, static options => (options.Format, options.Template, options.IncludeScopes) = ("Json", null, true));
        for (var i = 0; i < Times; i++)
            Named(pipeline.Logger, "known");
        var ended = Enumerable.Range(0, 8).SelectMany(_ => LogInside(pipeline.Logger)).ToList();
        await Eventually.Holds(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return !ended.Exists(static reference => reference.IsAlive);
        });
        Assert.True(await pipeline.Flush());
        Assert.Equal(Times + 24, sink.Records.Count);
        Assert.Equal(24, sink.Records.Count(static record => record.Contains("\"TraceId\":", StringComparison.Ordinal) && record.Contains("\"User\":\"u1\"", StringComparison.Ordinal)));
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static WeakReference[] LogInside(ILogger logger)
    {
        var before = Activity.Current;
        var activity = new Activity("request").Start();
        var scope = new Dictionary<string, object?> { ["User"] = "u1" };
        using (logger.BeginScope(scope))
        {
            for (var i = 0; i < 3; i++)
                Named(logger, "inside");
        }

        activity.Stop();
        Activity.Current = before;
        return [new WeakReference(activity), new WeakReference(scope)];
    }

    private static TestPipeline New(TestSink sink) => new(sink, static options => options.Template = "{Message} {Scopes}{NewLine}");

    [LoggerMessage(8, LogLevel.Information, "Name {Name}")]
    private static partial void Named(ILogger logger, string name);

    private sealed class ScopeCapture : ILoggerProvider, ISupportExternalScope
    {
        public IExternalScopeProvider? Scopes { get; private set; }

        public ILogger CreateLogger(string categoryName) => Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;

        public void SetScopeProvider(IExternalScopeProvider scopeProvider) => Scopes = scopeProvider;

        public void Dispose()
        {
            // Nothing is held.
        }
    }

    private sealed class Counter
    {
        public int Number { get; set; }

        public override string ToString() => Number.ToString(System.Globalization.CultureInfo.InvariantCulture);
    }
}
