using AsyncLog.Tests.Transport;

namespace AsyncLog.Tests.Differential;

/// <summary>The same 1,000 calls through OpenTelemetry .NET and AsyncLog mean the same to a receiver, except for what docs/otlp.md lists.</summary>
public sealed class DifferentialTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Records_of_both_exporters_mean_the_same_to_a_receiver_in_this_process(bool withMessage)
    {
        using var collector = new StubCollector();
        DateTimeOffset before = TimeProvider.System.GetUtcNow();
        await BothExporters.RunAsync(collector.Address, withMessage);

        DeliveredRecord[] delivered = [.. collector.Requests.SelectMany(static request => DeliveredRecord.Of(request.Message))];
        Compare(delivered);
        Assert.Equal(2 * SpokenCalls.Count, delivered.Length);
        Assert.All(delivered, record => AssertTime(record, before));
    }

    [Trait("Category", "system")]
    [Fact]
    public async Task Records_of_both_exporters_mean_the_same_to_the_Collector()
    {
        using RealReceiver collector = RealReceiver.Start("otelcol");
        await BothExporters.RunAsync(new Uri(FormattableString.Invariant($"http://localhost:{collector.Port("http")}/v1/logs")));

        Eventually.True(() => CollectorOutput.Read(collector).Count() == 2 * SpokenCalls.Count);
        Compare([.. CollectorOutput.Read(collector)]);
    }

    [Fact]
    public void The_document_lists_exactly_the_allowed_differences()
    {
        string[] names = [.. File.ReadLines(Path.Combine(Repository.Root, "docs", "otlp.md"))
            .SkipWhile(static line => line != "### What is different on the wire").Skip(1).TakeWhile(static line => !line.StartsWith("##", StringComparison.Ordinal))
            .Where(static line => line.StartsWith("| `", StringComparison.Ordinal)).Select(static line => line.Split('`')[1])];
        Assert.Equal(AllowedDifference.All.Select(static allowed => allowed.Name), names);
    }

    private static void Compare(IReadOnlyList<DeliveredRecord> delivered)
    {
        Dictionary<string, DeliveredRecord[]> official = ByScope(delivered, BothExporters.Official);
        Dictionary<string, DeliveredRecord[]> own = ByScope(delivered, BothExporters.Own);
        Assert.Equal(SpokenCalls.Count, own.Values.Sum(static records => records.Length));
        Assert.Equal(
            official.Select(static scope => (scope.Key, scope.Value.Length)).Order(),
            own.Select(static scope => (scope.Key, scope.Value.Length)).Order());
        Difference[] differences = [.. own.Keys.SelectMany(scope => official[scope].Zip(own[scope], Difference.Between).SelectMany(static found => found))];
        ILookup<string, Difference> byReason = differences.ToLookup(ReasonOf, StringComparer.Ordinal);
        Assert.Empty(byReason[""].Select(static difference => difference.ToString()));
        // What does not occur any more is to be allowed no more.
        Assert.Empty(AllowedDifference.All.Select(static allowed => allowed.Name).Where(name => !byReason[name].Any()));
    }

    // Within a category both deliver in the order of the calls.
    private static Dictionary<string, DeliveredRecord[]> ByScope(IEnumerable<DeliveredRecord> delivered, string service) => delivered
        .Where(record => record.Service == service).GroupBy(static record => record.Scope, StringComparer.Ordinal).ToDictionary(static scope => scope.Key, static scope => scope.ToArray(), StringComparer.Ordinal);

    private static string ReasonOf(Difference difference)
    {
        string[] reasons = [.. AllowedDifference.All.Where(allowed => allowed.Explains(difference)).Select(static allowed => allowed.Name)];
        return reasons.Length == 0 ? "" : Assert.Single(reasons);
    }

    private static void AssertTime(DeliveredRecord delivered, DateTimeOffset before)
    {
        Protocol.LogRecord record = delivered.Record;
        Assert.Equal(record.TimeUnixNano, record.ObservedTimeUnixNano);
        Assert.InRange(DateTimeOffset.UnixEpoch.AddTicks((long)(record.TimeUnixNano / 100)), before, TimeProvider.System.GetUtcNow());
    }
}
