using System.Runtime.CompilerServices;
using AsyncLog.Tests.Vectors;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Records;

/// <summary>Records that are encoded without an event, once the call is known: their bytes are those of the first, which had one.</summary>
public sealed partial class CallSiteTests
{
    // Far more than the events that a state and a call need until they are known.
    private const int Times = 40;
    private static readonly Guid SomeId = Guid.Parse("0f8fad5b-d9cb-469f-a165-70867728950e");
    private static readonly DateTimeOffset SomeTime = new(2026, 11, 26, 12, 30, 0, TimeSpan.FromHours(1));

    public static TheoryData<bool, bool, int?> Layouts => new MatrixTheoryData<bool, bool, int?>([true, false], [true, false], [null, 3]);

    [Theory]
    [MemberData(nameof(Layouts))]
    public async Task All_records_of_a_call_have_the_same_bytes(bool withMessage, bool withTemplate, int? longest)
    {
        using var harness = new OtlpHarness(options =>
        {
            (options.IncludeFormattedMessage, options.IncludeTemplate, options.AttributeValueLengthLimit) = (withMessage, withTemplate, longest);
            options.IncludeScopes = false;
        });
        var logger = harness.Logger();
        Action[] calls =
        [
            () => Ordered(logger, 7, "box", 1.5, true),
            () => Ordered(logger, -1, "", double.NaN, false),
            () => Ordered(logger, int.MinValue, null, double.NegativeInfinity, false),
            () => Ordered(logger, 7, new string('x', 500), 0, true),
            () => Ordered(logger, 7, "Größe \U0001F600", -0.0, true),
            () => Ordered(logger, 7, "half \uD83D", -0.0, true),
            () => Dated(logger, SomeId, 12.50m, SomeTime, TimeSpan.FromSeconds(90)),
            () => logger.LogWarning(new EventId(3, "Named"), "{A} and {B} of {C}", 1L, "two", 3u),
            () => logger.LogInformation("{A} and {B} of {C}", null, ulong.MaxValue, DayOfWeek.Friday),
            () => logger.LogError("{A} {Items}", new object(), new[] { 1, 2 }),
            () => logger.LogInformation("{@A} {$B}", "one", 2),
            () => logger.LogInformation("{Same} {Same}", 1, 2),
            () => logger.LogInformation(9, "{logrecord.event.id}", 1),
            () => logger.LogInformation("short {A}", 1),
        ];
        foreach (var call in calls)
        {
            call();
            var first = Assert.Single(await harness.TakeAsync());
            for (var i = 0; i < Times; i++)
                call();
            Assert.Equal(Enumerable.Repeat(first.Message(), Times), (await harness.TakeAsync()).Select(static record => record.Message()));
        }

        Assert.Equal(0, harness.Status.RenderErrors);
    }

    [Fact]
    public async Task A_record_of_a_known_call_has_its_own_time_values_and_trace()
    {
        using var harness = new OtlpHarness();
        var logger = harness.Logger();
        for (var i = 0; i < Times; i++)
            Ordered(logger, 7, "box", 1.5, true);
        await harness.TakeAsync();
        harness.Clock.Now = DateTimeOffset.UnixEpoch.AddSeconds(5);
        using (var activity = VectorRecord.Start(ReferenceRecord.TraceId, ReferenceRecord.SpanId, 1))
            Ordered(logger, 8, "bag", 2.5, false);
        Ordered(logger, 9, "can", 3.5, true);
        var records = (await harness.TakeAsync()).Select(static record => record.Decoded()).ToArray();
        Assert.Equal(["8 of bag at 2.5, False", "9 of can at 3.5, True"], records.Select(static record => record.Body.StringValue));
        Assert.All(records, static record => Assert.Equal((5_000_000_000ul, 5_000_000_000ul, 42), (record.TimeUnixNano, record.ObservedTimeUnixNano, record.Attributes[0].Value.IntValue)));
        Assert.Equal(["logrecord.event.id", "Id", "Name", "Price", "Paid", "{OriginalFormat}"], records[0].Attributes.Select(static pair => pair.Key));
        Assert.Equal((8, "bag", 2.5, false), ValuesOf(records[0]));
        Assert.Equal((9, "can", 3.5, true), ValuesOf(records[1]));
        Assert.Equal(
            (ReferenceRecord.TraceId, ReferenceRecord.SpanId, 1u),
            (Convert.ToHexStringLower(records[0].TraceId.Span), Convert.ToHexStringLower(records[0].SpanId.Span), records[0].Flags));
        Assert.Equal((0, 0, 0u), (records[1].TraceId.Length, records[1].SpanId.Length, records[1].Flags));
    }

    [Fact]
    public async Task A_scope_is_part_of_the_record_of_a_call_that_had_none()
    {
        using var harness = new OtlpHarness();
        var logger = harness.Logger();
        for (var i = 0; i < Times; i++)
            Ordered(logger, 7, "box", 1.5, true);
        await harness.TakeAsync();
        using (logger.BeginScope(new List<KeyValuePair<string, object?>> { new("RequestPath", "/cart") }))
            Ordered(logger, 7, "box", 1.5, true);
        var attributes = Assert.Single(await harness.TakeAsync()).Decoded().Attributes;
        Assert.Equal(["logrecord.event.id", "Id", "Name", "Price", "Paid", "{OriginalFormat}", "RequestPath"], attributes.Select(static pair => pair.Key));
        Assert.Equal("/cart", attributes[^1].Value.StringValue);
    }

    [Fact]
    public async Task A_call_that_begins_within_scopes_has_none_of_them_later()
    {
        using var harness = new OtlpHarness();
        var logger = harness.Logger();
        using (logger.BeginScope(new List<KeyValuePair<string, object?>> { new("logrecord.event.id", "mine") }))
        {
            for (var i = 0; i < Times; i++)
                Ordered(logger, 7, "box", 1.5, true);
        }

        await harness.TakeAsync();
        for (var i = 0; i < Times; i++)
            Ordered(logger, 7, "box", 1.5, true);
        var records = await harness.TakeAsync();
        Assert.Equal(Times, records.Length);
        Assert.All(records, static record =>
        {
            var attributes = record.Decoded().Attributes;
            Assert.Equal(["logrecord.event.id", "Id", "Name", "Price", "Paid", "{OriginalFormat}"], attributes.Select(static pair => pair.Key));
            Assert.Equal(42, attributes[0].Value.IntValue);
        });
    }

    [Fact]
    public async Task A_record_beyond_the_limit_is_truncated_and_counted()
    {
        using var harness = new OtlpHarness(static options => options.MaxRecordSize = 1024);
        var logger = harness.Logger();
        for (var i = 0; i < Times; i++)
            Ordered(logger, 7, "box", 1.5, true);
        Ordered(logger, 7, new string('x', 1000), 1.5, true);
        var records = await harness.TakeAsync();
        Assert.Equal(Times + 1, records.Length);
        Assert.InRange(records[^1].Bytes.Length, 900, 1024);
        Assert.EndsWith("x...", records[^1].Decoded().Body.StringValue, StringComparison.Ordinal);
        Assert.Equal(1, harness.Status.Truncated);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_texts_of_messages_that_are_built_for_each_call_are_not_kept(bool withMessage)
    {
        using var harness = new OtlpHarness(options => options.IncludeFormattedMessage = withMessage);
        var texts = LogBuilt(harness.Logger());
        Assert.Equal(texts.Length + Times, (await harness.TakeAsync()).Length);
        await Eventually.Holds(() =>
        {
            GC.Collect();
            return Array.TrueForAll(texts, static text => !text.IsAlive);
        });
    }

    // Not inlined: a local of the test would keep a text alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference[] LogBuilt(ILogger logger)
    {
        // So that the layout of such a state is known.
        for (var i = 0; i < Times; i++)
            logger.LogInformation("Order {Id}", i);
        var texts = new WeakReference[400];
        for (var i = 0; i < texts.Length; i++)
        {
            var text = $"Order {i} {{A}} {new string('x', i)}";
            texts[i] = new WeakReference(text);
            logger.LogInformation(text);
        }

        return texts;
    }

    private static (long Id, string Name, double Price, bool IsPaid) ValuesOf(Protocol.LogRecord record)
    {
        var values = record.Attributes.Skip(1).Select(static pair => pair.Value).ToArray();
        return (values[0].IntValue, values[1].StringValue, values[2].DoubleValue, values[3].BoolValue);
    }

    [LoggerMessage(42, LogLevel.Information, "{Id} of {Name} at {Price}, {Paid}")]
    private static partial void Ordered(ILogger logger, int id, string? name, double price, bool paid);

    [LoggerMessage(0, LogLevel.Critical, "{Id} at {Price} on {Day} for {Time}", EventName = "")]
    private static partial void Dated(ILogger logger, Guid id, decimal price, DateTimeOffset day, TimeSpan time);
}
