using System.Diagnostics;
using System.Runtime.CompilerServices;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>What is kept of calls, scopes, activities and execution contexts is bounded, and keeps none of them alive.</summary>
[Collection(nameof(CaptureAllocationTests))]
public sealed class CallMemoryTests
{
    // Far more than a call needs until it is known.
    private const int Times = 40;
    private const string Text = "{Level} {Message} {Scopes} {TraceId}{NewLine}";

    public static TheoryData<string, string?, bool> Layouts => new()
    {
        { "Text", Text, true },
        { "Text", Text, false },
        { "Json", null, true },
        { "Json", null, false },
        { "Clef", null, true },
        { "Clef", null, false },
    };

    [Theory]
    [MemberData(nameof(Layouts))]
    public async Task Scopes_activities_and_execution_contexts_can_go_although_the_thread_that_logged_stays(string format, string? template, bool isOfFactory)
    {
        var sink = new TestSink();
        var scopes = isOfFactory ? ForeignScopes.OfFactory(ActivityTrackingOptions.TraceId | ActivityTrackingOptions.Tags) : new LoggerExternalScopeProvider();
        using var pipeline = New(sink, format, template, scopes);
        var logger = pipeline.Provider.CreateLogger("Test");
        List<WeakReference> kept = [];
        using SemaphoreSlim logged = new(0), ends = new(0);
        var thread = new Thread(() =>
        {
            for (var i = 0; i < 20; i++)
                LogInside(logger, scopes, kept);
            logged.Release();
            ends.Wait();
        });
        thread.Start();
        await logged.WaitAsync(TestContext.Current.CancellationToken);
        try
        {
            Assert.True(await pipeline.Flush());
            Assert.Equal(20 * Times, sink.Records.Count);
            Assert.Equal(20 * 6, kept.Count);
            await Eventually.Holds(
                () =>
                {
                    GC.Collect();
                    return kept.TrueForAll(static one => !one.IsAlive);
                },
                () => string.Join(", ", kept.Where(static one => one.IsAlive).Select(static one => one.Target?.GetType().Name)));
        }
        finally
        {
            ends.Release();
            thread.Join();
        }
    }

    [Theory]
    [MemberData(nameof(Layouts))]
    public async Task A_thread_that_never_returns_has_the_scopes_it_was_started_with(string format, string? template, bool isOfFactory)
    {
        var sink = new TestSink();
        var scopes = isOfFactory ? ForeignScopes.OfFactory(ActivityTrackingOptions.None) : new LoggerExternalScopeProvider();
        using var pipeline = New(sink, format, template, scopes);
        var logger = pipeline.Provider.CreateLogger("Test");
        using SemaphoreSlim asked = new(0), logged = new(0);
        var ends = false;
        Thread thread;
        using (logger.BeginScope("outer of the start"))
        {
            thread = new Thread(() =>
            {
                for (asked.Wait(); !Volatile.Read(ref ends); asked.Wait())
                {
                    logger.LogInformation("Thread {Name}", "inner");
                    logged.Release();
                }
            });
            thread.Start();
        }

        for (var i = 0; i < Times; i++)
        {
            logger.LogInformation("Thread {Name}", "starter");
            asked.Release();
            await logged.WaitAsync(TestContext.Current.CancellationToken);
            using (logger.BeginScope("other"))
                logger.LogInformation("Thread {Name}", "starter");
        }

        Volatile.Write(ref ends, true);
        asked.Release();
        thread.Join();
        Assert.True(await pipeline.Flush());
        (bool, bool, bool)[] expected = [(false, false, false), (true, true, false), (false, false, true)];
        Assert.Equal(Enumerable.Repeat(expected, Times).SelectMany(static three => three), sink.Records.Select(static record => (Has(record, "inner"), Has(record, "outer of the start"), Has(record, "other"))));
    }

    [Theory]
    [MemberData(nameof(Layouts))]
    public async Task Ten_thousand_execution_contexts_at_once_cost_nothing_beyond_their_own_memory(string format, string? template, bool isOfFactory)
    {
        const int Count = 10_000;
        var sink = new CountingSink();
        var scopes = isOfFactory ? ForeignScopes.OfFactory(ActivityTrackingOptions.None) : new LoggerExternalScopeProvider();
        using var pipeline = New(sink, format, template, scopes);
        var logger = pipeline.Provider.CreateLogger("Test");
        var contexts = Enumerable.Range(0, Count).Select(number => NewContext(scopes, number)).ToArray();
        // Many records in one context: for the buffers, and for more segments of the queue than are needed later.
        for (var round = 0; round < 3; round++)
            await LogInEach(Enumerable.Repeat(contexts[0], Count));
        var before = GC.GetTotalMemory(forceFullCollection: true);
        for (var round = 0; round < 3; round++)
        {
            foreach (var some in contexts.Chunk(Count / 20))
                await LogInEach(some);
        }

        // Less than the ids and the scopes as text.
        await Eventually.Holds(() => GC.GetTotalMemory(forceFullCollection: true) - before < 64 * Count, () => $"{GC.GetTotalMemory(forceFullCollection: true) - before} bytes are kept for {Count} contexts");
        Assert.Equal(6 * Count, sink.Records);
        GC.KeepAlive(contexts);

        async Task LogInEach(IEnumerable<ExecutionContext> some)
        {
            foreach (var context in some)
                ExecutionContext.Run(context, static logger => ((ILogger)logger!).LogInformation("In a context {Name}", "box"), logger);
            Assert.True(await pipeline.Flush());
        }
    }

    [Theory]
    [InlineData("Text", Text)]
    [InlineData("Json", null)]
    [InlineData("Clef", null)]
    public async Task Of_call_sites_that_are_made_without_end_few_are_kept(string format, string? template)
    {
        const int PerRound = 2_000;
        const int Most = 8_192;
        var count = ReleaseRun.Count(usual: 20_000, release: 400_000);
        var sink = new CountingSink();
        using var pipeline = New(sink, format, template, new LoggerExternalScopeProvider());
        var logger = pipeline.Provider.CreateLogger("Test");
        var texts = new List<WeakReference>();
        for (var round = 0; round < count / PerRound; round++)
        {
            LogSites(logger, texts, round, PerRound);
            Assert.True(await pipeline.Flush());
        }

        Assert.Equal(4 * count, sink.Records);
        Assert.Equal(count, texts.Count);
        GC.Collect();
        Assert.InRange(texts.Count(static text => text.IsAlive), 0, Most);
    }

    private static bool Has(string record, string text) => record.Contains(text, StringComparison.Ordinal);

    // Not inlined: a local of the thread would keep them alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LogInside(ILogger logger, IExternalScopeProvider scopes, List<WeakReference> kept)
    {
        var activity = new Activity("work").SetIdFormat(ActivityIdFormat.W3C).SetTag("a", 1).Start();
        object[] begun = [new Dictionary<string, object?> { ["a"] = 1 }, new List<KeyValuePair<string, object?>> { new("b", 2) }, new string('x', 20), new Own()];
        var ends = Array.ConvertAll(begun, scopes.Push);
        for (var i = 0; i < Times; i++)
            logger.LogInformation("Inside {Name}", "box");
        kept.AddRange([new WeakReference(activity), new WeakReference(ExecutionContext.Capture()), .. begun.Select(static scope => new WeakReference(scope))]);
        foreach (var end in ends.Reverse())
            end.Dispose();
        activity.Stop();
        Activity.Current = null;
    }

    private static ExecutionContext NewContext(IExternalScopeProvider scopes, int number)
    {
        var own = ExecutionContext.Capture()!;
        ExecutionContext? context = null;
        ExecutionContext.Run(
            own,
            _ =>
            {
                new Activity("work").SetIdFormat(ActivityIdFormat.W3C).Start();
                scopes.Push(new KeyValuePair<string, object?>[] { new("Number", number) });
                scopes.Push("request");
                context = ExecutionContext.Capture();
            },
            null);
        return context!;
    }

    // Not inlined: a local would keep texts alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LogSites(ILogger logger, List<WeakReference> texts, int round, int count)
    {
        var templates = Enumerable.Range(0, count).Select(number => $"Site {number} of round {round}, {{Name}} {new string('x', 100)}").ToArray();
        var defined = templates.Select(static (template, number) => number % 4 == 0 ? LoggerMessage.Define<string>(LogLevel.Information, number, template) : null).ToArray();
        // As old as the texts in the code.
        GC.Collect();
        GC.Collect();
        for (var i = 0; i < count; i++)
        {
            texts.Add(new WeakReference(templates[i]));
            for (var times = 0; times < 4; times++)
            {
                if (defined[i] is { } log)
                    log(logger, "box", null);
                else
                    logger.LogInformation(templates[i], "box");
            }
        }
    }

    private static TestPipeline New(ILogSink sink, string format, string? template, IExternalScopeProvider scopes)
    {
        var pipeline = new TestPipeline(sink, options => (options.Format, options.Template, options.IncludeScopes) = (format, template, true));
        ((ISupportExternalScope)pipeline.Provider).SetScopeProvider(scopes);
        return pipeline;
    }

    private sealed class Own
    {
        public override string ToString() => "own";
    }

    private sealed class CountingSink : ILogSink
    {
        private int _records;

        public int Records => Volatile.Read(ref _records);

        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
        {
            Interlocked.Add(ref _records, batch.Count);
            return ValueTask.CompletedTask;
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
