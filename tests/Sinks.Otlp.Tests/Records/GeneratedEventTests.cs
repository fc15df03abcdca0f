using AsyncLog.Tests.Vectors;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Records;

/// <summary>Whatever is logged: what the generated classes of the protocol decode is what the rules give.</summary>
public sealed class GeneratedEventTests
{
    private const int EventsPerSet = 50;
    private const int LengthSteps = 18;
    private const int FewestCut = 20;
    private static readonly int Events = ReleaseRun.Count(usual: 100_000, release: 1_000_000);

    [Fact]
    [Trait("Category", "slow")]
    public void What_is_decoded_is_what_was_logged()
    {
        var sets = Events / EventsPerSet;
        var options =
            from count in Gen.Elements<int?>(128, 128, null, 0, 1, 3)
            from length in Gen.Elements<int?>(null, null, 0, 1, 4, 100)
            from isMessage in Gen.Elements(true, true, false)
            from withTemplate in Gen.Elements(true, false)
            select (count, length, isMessage, withTemplate);

        using var harnesses = new Harnesses();

        Prop.ForAll(Arb.From(options), Arb.From(GeneratedEvent.All.ArrayOf(EventsPerSet)), (set, calls) =>
        {
            var harness = harnesses.Get(set, o =>
            {
                (o.AttributeCountLimit, o.AttributeValueLengthLimit, o.IncludeFormattedMessage, o.IncludeTemplate) = set;
                o.MaxRecordSize = 1 << 20;
            });
            foreach (var call in calls)
                Log(call, harness);
            var records = harness.TakeAsync().GetAwaiter().GetResult();
            Assert.Equal(calls.Length, records.Length);
            for (var i = 0; i < calls.Length; i++)
                Assert.Equal(new ReferenceRecord(calls[i], harness.Options).Make(), records[i].Decoded());
            Assert.Equal(0, harness.Status.RenderErrors);
        }).QuickCheckThrowOnFailureWith(sets);
    }

    [Fact]
    public void A_record_that_is_too_long_keeps_its_limit_and_stays_readable()
    {
        using var harnesses = new Harnesses();
        Prop.ForAll(Arb.From(Gen.Choose(0, LengthSteps).Select(static step => 1024 + (step * 31))), Arb.From(GeneratedEvent.All.ArrayOf(EventsPerSet)), (limit, calls) =>
        {
            var harness = harnesses.Get(limit, o => o.MaxRecordSize = limit);
            foreach (var call in calls)
                Log(call, harness);
            var records = harness.TakeAsync().GetAwaiter().GetResult();
            Assert.Equal(calls.Length, records.Length);
            for (var i = 0; i < calls.Length; i++)
                CheckCut(new ReferenceRecord(calls[i], harness.Options).Make(), records[i], limit);
            Assert.Equal(0, harness.Status.RenderErrors);
        }).QuickCheckThrowOnFailureWith(Events / EventsPerSet / 10);

        var cut = harnesses.All.Sum(static harness => harness.Status.Truncated);
        Assert.True(cut > FewestCut, $"only {cut} records were cut");
    }

    private static void CheckCut(Protocol.LogRecord whole, BatchRecord record, int limit)
    {
        Assert.InRange(record.Bytes.Length, 1, limit);
        var decoded = record.Decoded();
        // One that would just fit may be cut all the same: empty keys in lists are written, and rendering stops where keys that repeat are too long.
        if (whole.Equals(decoded))
            return;
        Assert.Equal(whole.Attributes.Count + whole.DroppedAttributesCount, decoded.Attributes.Count + decoded.DroppedAttributesCount);
        Assert.Equal((whole.TraceId, whole.SeverityNumber, whole.TimeUnixNano), (decoded.TraceId, decoded.SeverityNumber, decoded.TimeUnixNano));
        Assert.True(IsStart(decoded.Body?.StringValue, whole.Body?.StringValue));
        // There may be none: all of them are dropped.
        Assert.DoesNotContain(decoded.Attributes, attribute => !whole.Attributes.Any(original => original.Key == attribute.Key
            && (original.Value.Equals(attribute.Value) || IsStart(attribute.Value.StringValue, original.Value.StringValue))));
    }

    private static bool IsStart(string? cut, string? whole) => string.Equals(cut, whole, StringComparison.Ordinal)
        || (cut!.EndsWith("...", StringComparison.Ordinal) && whole!.StartsWith(cut[..^3], StringComparison.Ordinal));

    private static void Log(GeneratedEvent call, OtlpHarness harness)
    {
        var logger = harness.Logger();
        var activity = call.Flags is { } flags ? VectorRecord.Start(ReferenceRecord.TraceId, ReferenceRecord.SpanId, flags) : null;
        var scopes = call.Scopes.Select(scope => logger.BeginScope(scope.ToList())).ToArray();
        var exception = call.Exception is { } given ? VectorException.Of(ReferenceRecord.ExceptionType, given.Message, given.Text) : null;
        List<KeyValuePair<string, object?>> state = [.. call.State, KeyValuePair.Create("{OriginalFormat}", (object?)ReferenceRecord.Template)];
        logger.Log(call.Level, new EventId(call.EventId, call.EventName), state, exception, (_, _) => call.Message!);
        foreach (var scope in scopes.Reverse())
            scope!.Dispose();
        activity?.Stop();
    }

    // Starting a provider takes as long as some hundred events.
    private sealed class Harnesses : IDisposable
    {
        private readonly Dictionary<object, OtlpHarness> _harnesses = [];

        public IEnumerable<OtlpHarness> All => _harnesses.Values;

        public OtlpHarness Get(object key, Action<AsyncOtlpLoggerOptions> configure)
        {
            if (!_harnesses.TryGetValue(key, out var harness))
                _harnesses.Add(key, harness = new OtlpHarness(configure));
            return harness;
        }

        public void Dispose()
        {
            foreach (var harness in _harnesses.Values)
                harness.Dispose();
        }
    }
}
