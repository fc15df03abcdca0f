using System.Buffers;
using System.Diagnostics;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization;
using AsyncLog.Tests.Formatting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog.Tests.Capture;

/// <summary>Bytes allocated on the caller's thread, by capture and rendering alone.</summary>
[Collection(nameof(CaptureAllocationTests))]
[CollectionDefinition(nameof(CaptureAllocationTests), DisableParallelization = true)]
public sealed class CaptureAllocationTests
{
    private const int Calls = 10_000;
    internal const string NeedsOptimisedCode = "The compiler leaves boxes in code for the debugger; run with -c Release.";

    // Where the calls allocate by themselves, the collector runs, and the rest of blocks of memory counts.
    private const int SmallestObject = 24;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    public static bool IsDebug
        => typeof(LogEvent).Assembly.GetCustomAttribute<DebuggableAttribute>()?.IsJITOptimizerDisabled == true;

    [Fact(Skip = NeedsOptimisedCode, SkipWhen = nameof(IsDebug))]
    public void Defined_messages_with_known_types_allocate_nothing()
    {
        var zero = LoggerMessage.Define(LogLevel.Information, default, "none");
        var one = LoggerMessage.Define<int>(LogLevel.Information, default, "{A}");
        var two = LoggerMessage.Define<string, double>(LogLevel.Information, default, "{A} {B:F3}");
        var three = LoggerMessage.Define<Guid, DateTime, TimeSpan>(LogLevel.Information, default, "{A} {B,30:O} {C}");
        var four = LoggerMessage.Define<decimal, DateTimeOffset, Shade, Access>(LogLevel.Information, default, "{A} {B} {C} {D}");
        var five = LoggerMessage.Define<bool, char, long, byte, float>(LogLevel.Information, default, "{A} {B} {C:N0} {D} {E}");
        var six = LoggerMessage.Define<int?, Half, Int128, DateOnly, TimeOnly, uint>(LogLevel.Information, default, "{A} {B} {C} {D} {E} {F,9}");
        var id = Guid.NewGuid();
        var time = new DateTime(2026, 11, 20, 1, 2, 3, DateTimeKind.Utc);
        AssertNothing(logger =>
        {
            zero(logger, null);
            one(logger, 42, null);
            two(logger, "text \u20ac", 1.2345, null);
            three(logger, id, time, TimeSpan.FromSeconds(5), null);
            four(logger, 1.5m, time, Shade.Green, Access.Read | Access.Admin, null);
            five(logger, true, 'x', 1234567, 7, 1.5f, null);
            six(logger, 7, (Half)1.5, 99, DateOnly.FromDateTime(time), TimeOnly.FromDateTime(time), 3, null);
        });
    }

    [Fact(Skip = NeedsOptimisedCode, SkipWhen = nameof(IsDebug))]
    public void Template_calls_allocate_nothing_beyond_what_the_call_itself_does()
    {
        object?[] args = [42, "text", 1.5, Guid.NewGuid(), Shade.Red];
        // The arguments are in their boxes and the state is a struct, so the call allocates nothing either.
        AssertNothing(logger =>
        {
            logger.LogInformation("{A} {B,10} {C:F2} {D} {E}", args);
            logger.LogInformation("no arguments, {Braces} or not");
        });
    }

    [Theory(Skip = NeedsOptimisedCode, SkipWhen = nameof(IsDebug))]
    [InlineData("Text", "{Level} {Message}{NewLine}")]
    [InlineData("Text", "{Message} {Properties}{NewLine}")]
    [InlineData("Json", null)]
    [InlineData("Clef", null)]
    public void Messages_that_are_built_for_each_call_allocate_nothing(string format, string? template)
    {
        var formatter = LogFormatters.Create(Said.Json() with { Format = format, Template = template }, Said.Application, TimeProvider.System);
        object?[] args = [42];
        // Built in advance: what counts is what the logger allocates.
        var texts = Enumerable.Range(0, 4 * Calls).Select(static number => $"Order {number} of a@b.c {{A}} {{\"Mail\":1}}").ToArray();
        var next = 0;
        AssertNothing(
            logger =>
            {
                logger.LogInformation("{A} beside it", args);
                logger.LogInformation(texts[next++ % texts.Length]);
            },
            logEvent =>
            {
                logEvent.Record.Reset(4096);
                formatter.Format(logEvent, logEvent.Record);
            });
    }

    [Fact(Skip = NeedsOptimisedCode, SkipWhen = nameof(IsDebug))]
    public void Scopes_of_pairs_and_an_activity_allocate_nothing()
    {
        using var activity = new Activity("test").Start();
        object[] scopes =
        [
            new List<KeyValuePair<string, object?>> { new("RequestId", "0HM"), new("Count", 1) },
            new Dictionary<string, object?> { ["a"] = 1, ["b"] = "x" },
            new KeyValuePair<string, object?>[] { new("k", null) },
            "plain",
        ];
        var read = 0;
        AssertNothing(
            logger => logger.LogInformation("{A}", Boxed),
            e =>
            {
                for (var i = 0; i < e.ScopeCount; i++)
                    read += e.GetScope(i).Properties.Length;
                read += e.HasTrace && e.TraceId != default ? 1 : 0;
                read += e.GetScope(3).Text.Length;
            },
            scopes);
        // Per record five properties, the trace and the five characters of a text.
        Assert.Equal((true, 0), (read > 0, read % 11));
    }

    [Fact(Skip = NeedsOptimisedCode, SkipWhen = nameof(IsDebug))]
    public void An_object_allocates_no_more_than_the_serializer()
    {
        object?[] args = [new Parcel(1, "text", Shade.Green, [1, 2, 3], new Parcel(2, "inner", Shade.Red, [], null)), 7];
        var options = new JsonSerializerOptions
        {
            ReferenceHandler = ReferenceHandler.IgnoreCycles,
            DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
            Converters = { new JsonStringEnumConverter() },
        };
        var buffer = new ArrayBufferWriter<byte>(1024);
        using var writer = new Utf8JsonWriter(buffer);
        AssertNothing(
            logger =>
            {
                if (logger is NullLogger)
                {
                    buffer.ResetWrittenCount();
                    writer.Reset();
                    JsonSerializer.Serialize(writer, (Parcel)args[0]!, options);
                }
                logger.LogInformation("{@A} {B}", args);
            },
            smallest: SmallestObject);
    }

    private static readonly object?[] Boxed = [1];

    private static void AssertNothing(Action<ILogger> calls, Action<LogEvent>? look = null, object[]? scopes = null, int smallest = 1)
    {
        var logger = new RenderingLogger(look, scopes ?? []);
        var bytes = long.MaxValue;
        // The first code boxes; compilation replaces it in the background, in its own time. What counts is what stays.
        for (var started = Stopwatch.StartNew(); (bytes >= smallest || bytes <= -smallest) && started.Elapsed < Patience;)
        {
            // MEL allocates by itself where its own cache of templates is full, as other tests may have made it.
            var own = Measure(calls, NullLogger.Instance);
            // Per call: where MEL makes the collector run, the rest of a block of memory counts as allocated.
            bytes = (Measure(calls, logger) - own) / Calls;
        }
        Assert.InRange(bytes, 1 - smallest, smallest - 1);
        Assert.True(logger.MessageBytes >= Calls, $"{logger.MessageBytes} bytes of messages were rendered.");
    }

    private sealed record Parcel(int Id, string Text, Shade Color, int[] Numbers, Parcel? Inner);

    private static long Measure(Action<ILogger> calls, ILogger logger)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < Calls; i++)
            calls(logger);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private sealed class RenderingLogger : ILogger
    {
        private static readonly LogCategory Category = new("C");
        private readonly LoggerExternalScopeProvider _scopes = new();
        private readonly Action<LogEvent>? _look;

        public long MessageBytes { get; private set; }

        public RenderingLogger(Action<LogEvent>? look, object[] scopes)
        {
            _look = look;
            foreach (var scope in scopes)
                _scopes.Push(scope);
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            var context = CaptureContext.Current;
            Assert.True(context.TryEnter());
            var e = context.Event;
            e.Begin(0, logLevel, Category, eventId, exception, _scopes, 4096);
            StateReader<TState>.Instance.Read(ref state, formatter, e);
            MessageBytes += e.Message.Length;
            _look?.Invoke(e);
            context.Exit();
        }
    }
}
