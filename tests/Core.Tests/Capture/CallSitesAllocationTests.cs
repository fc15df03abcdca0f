using System.Diagnostics;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog.Tests.Capture;

/// <summary>Bytes that a real logger allocates on the caller's thread, beside what the call itself does.</summary>
[Collection(nameof(CaptureAllocationTests))]
public sealed partial class CallSitesAllocationTests
{
    private const int Rounds = 20;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly object?[] Boxed = [42, "M\u00FCller", 1.5];

    private static readonly (string Format, string? Template)[] Layouts =
    [
        ("Text", null),
        ("Text", "{Timestamp} {Level} {Message} {Scopes} {Properties} {TraceId}{NewLine}"),
        ("Json", null),
        ("Clef", null),
    ];

    public static TheoryData<string, string?, int> Sites => new(from layout in Layouts from count in (int[])[2, 25, 100, 300] select (layout.Format, layout.Template, count));

    public static TheoryData<string, string?> EachLayout => new(from layout in Layouts select (layout.Format, layout.Template));

    public static TheoryData<string, string?, int> Lengths => new(from layout in Layouts from length in (int[])[60, 600, 6000] select (layout.Format, layout.Template, length));

    [Theory(Skip = CaptureAllocationTests.NeedsOptimisedCode, SkipType = typeof(CaptureAllocationTests), SkipWhen = nameof(CaptureAllocationTests.IsDebug))]
    [MemberData(nameof(Sites))]
    public void Call_sites_in_turn_allocate_nothing(string format, string? template, int count)
    {
        using var pipeline = New(format, template);
        var templates = Enumerable.Range(0, count).Select(static number => $"Site {number}: {{Id}} of {{Name}} at {{Price:F2}}").ToArray();
        AssertNothing(pipeline, count, (logger, _) =>
        {
            foreach (var text in templates)
                logger.LogInformation(text, Boxed);
        });
    }

    [Theory(Skip = CaptureAllocationTests.NeedsOptimisedCode, SkipType = typeof(CaptureAllocationTests), SkipWhen = nameof(CaptureAllocationTests.IsDebug))]
    [MemberData(nameof(EachLayout))]
    public void Calls_of_several_kinds_allocate_nothing_inside_a_request(string format, string? template)
    {
        var scopes = new LoggerExternalScopeProvider();
        using var pipeline = New(format, template);
        ((ISupportExternalScope)pipeline.Provider).SetScopeProvider(scopes);
        using var activity = new Activity("request").SetIdFormat(ActivityIdFormat.W3C).Start();
        using var connection = scopes.Push(new KeyValuePair<string, object?>[] { new("ConnectionId", "0HM1") });
        using var request = scopes.Push(new KeyValuePair<string, object?>[] { new("RequestId", "0HM1:1"), new("RequestPath", "/cart") });
        using var user = scopes.Push("user 7");
        AssertNothing(pipeline, 4, static (logger, _) =>
        {
            logger.LogInformation("Application started");
            logger.LogInformation("{Id} of {Name} at {Price:F2}", Boxed);
            Named(logger, null);
            Named(logger, "\u8BA2\u5355");
        });
    }

    [Theory(Skip = CaptureAllocationTests.NeedsOptimisedCode, SkipType = typeof(CaptureAllocationTests), SkipWhen = nameof(CaptureAllocationTests.IsDebug))]
    [MemberData(nameof(EachLayout))]
    public void Event_ids_without_end_allocate_nothing(string format, string? template)
    {
        const int Calls = 50;
        using var pipeline = New(format, template);
        var id = 0;
        AssertNothing(pipeline, Calls, (logger, _) =>
        {
            for (var i = 0; i < Calls; i++)
                logger.Log(LogLevel.Information, new EventId(++id), "With an id of the data {Id} of {Name} at {Price:F2}", Boxed);
        });
    }

    [Theory(Skip = CaptureAllocationTests.NeedsOptimisedCode, SkipType = typeof(CaptureAllocationTests), SkipWhen = nameof(CaptureAllocationTests.IsDebug))]
    [MemberData(nameof(Lengths))]
    public void Built_messages_allocate_nothing(string format, string? template, int length)
    {
        const int Texts = 16;
        using var pipeline = New(format, template);
        AssertNothing(
            pipeline, Texts,
            static (logger, texts) =>
            {
                foreach (var text in texts)
                    logger.LogInformation(text);
            },
            round => Enumerable.Range(0, Texts).Select(number => $"{round} {number} {{A}} \"M\u00FCller\" ".PadRight(length, 'x')).ToArray());
    }

    // Until all rounds allocate less than a byte for each call: code is compiled in the background, in its own time, and segments are made while the sink is slow.
    private static void AssertNothing(TestPipeline pipeline, int calls, Action<ILogger, string[]> log, Func<int, string[]>? build = null)
    {
        var logger = pipeline.Provider.CreateLogger("Test");
        var bytes = long.MaxValue;
        var round = 0;
        for (var started = Stopwatch.StartNew(); bytes >= calls * Rounds && started.Elapsed < Patience;)
        {
            bytes = 0;
            for (var i = 0; i < Rounds; i++)
            {
                // Built before: what counts is what the logger allocates.
                var texts = build?.Invoke(round++) ?? [];
                // MEL allocates by itself where its own cache of templates is full, as other tests may have made it.
                bytes += Measure(log, logger, texts) - Measure(log, NullLogger.Instance, texts);
            }

            Assert.True(pipeline.Control.FlushAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken).GetAwaiter().GetResult());
        }

        Assert.InRange(bytes, 1 - (calls * Rounds), (calls * Rounds) - 1);
    }

    private static long Measure(Action<ILogger, string[]> log, ILogger logger, string[] texts)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        log(logger, texts);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private static TestPipeline New(string format, string? template)
        => new(new ForgettingSink(), options => (options.Format, options.Template, options.IncludeScopes) = (format, template, true));

    [LoggerMessage(3, LogLevel.Information, "Name {Name}")]
    private static partial void Named(ILogger logger, string? name);

    private sealed class ForgettingSink : ILogSink
    {
        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
