using System.Globalization;
using AsyncLog.Tests.Protocol;
using AsyncLog.Tests.Records;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Requests;

public sealed class RequestTests
{
    private static readonly byte[] Resource = OtlpResource.Encode([new("service.name", "shop"), new("n", 7L), new("b", true), new("d", 0.5), new("a", new[] { "x", "y" })]);

    internal static byte[] BytesOf(OtlpRequest request) =>
        [.. request.Pieces.SelectMany(static piece => piece.ToArray())];

    [Fact]
    public void A_resource_has_typed_attributes()
    {
        var request = new OtlpRequest(Resource);
        request.Fill(LogBatch.Create(Record("m", "C")), 512, 4_000_000);

        var attributes = Decode(request).ResourceLogs[0].Resource.Attributes.ToDictionary(static pair => pair.Key, static pair => pair.Value);

        Assert.Equal(5, attributes.Count);
        Assert.Equal("shop", attributes["service.name"].StringValue);
        Assert.Equal(7, attributes["n"].IntValue);
        Assert.True(attributes["b"].BoolValue);
        Assert.Equal(0.5, attributes["d"].DoubleValue);
        Assert.Equal(["x", "y"], attributes["a"].ArrayValue.Values.Select(static value => value.StringValue));
    }

    [Theory]
    [InlineData("")]
    [InlineData("Shop.Cart")]
    [InlineData("Warenkörbe 😀")]
    public void The_scope_is_named_after_the_category(string category)
    {
        var request = new OtlpRequest(Resource);

        Assert.Equal(1, request.Fill(LogBatch.Create(Record("m", category)), 512, 4_000_000));

        Assert.Equal(category, Assert.Single(Decode(request).ResourceLogs[0].ScopeLogs).Scope.Name);
    }

    [Fact]
    public void A_request_is_filled_to_the_last_byte_that_fits()
    {
        var batch = LogBatch.Create([.. Enumerable.Range(0, 50).Select(static i => Record(new string('x', 100 + (i * 7)), "C" + (i % 3)))]);
        var request = new OtlpRequest(Resource);
        for (var most = 1; most <= 50; most++)
        {
            request.Fill(batch, most, int.MaxValue);
            var exact = request.Length;

            Assert.Equal(most, request.Fill(batch, 50, exact));
            Assert.Equal(exact, BytesOf(request).Length);
            Assert.Equal(most - 1, request.Fill(batch, 50, exact - 1));
        }
    }

    [Fact]
    public void A_record_that_does_not_fit_alone_makes_no_request()
    {
        var request = new OtlpRequest(Resource);

        Assert.Equal(0, request.Fill(LogBatch.Create(Record(new string('x', 1000), "C")), 512, 1000));
        Assert.Empty(request.Pieces);
    }

    [Fact]
    public void A_request_after_the_first_allocates_nothing_and_no_piece_is_a_large_object()
    {
        Assert.SkipUnless(OptimizedCode.Is, "only optimized code allocates nothing");
        var batch = LogBatch.Create([.. Enumerable.Range(0, 512).Select(static i => Record(new string('x', 900), "C" + (i % 10)))]);
        var request = new OtlpRequest(Resource);
        Assert.Equal(512, request.Fill(batch, 512, 4_000_000));
        List<long> allocated = [];

        // A collection for another test charges the thread the rest of its allocation block: one round without that shows what the requests take.
        while (allocated.Count < 20 && !allocated.Contains(0))
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < 20; i++)
                request.Fill(batch, 512, 4_000_000);
            allocated.Add(GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Contains(0, allocated);
        Assert.NotEmpty(request.Pieces);
        Assert.All(request.Pieces, static piece => Assert.InRange(piece.Length, 1, 84_999));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(400)]
    public void Records_of_a_category_stay_together_and_in_order_however_long_their_runs_are(int run)
    {
        BatchRecord[] records = [.. Enumerable.Range(0, 1000).Select(i => Record(string.Create(CultureInfo.InvariantCulture, $"{i} {new string('x', 200)}"), "C" + (i / run % 3)))];
        var batch = LogBatch.Create(records);
        var request = new OtlpRequest(Resource);
        List<(string Category, string Body)> found = [];
        for (var most = 900; batch.Count > 0; most = 1000)
        {
            var count = request.Fill(batch, most, 4_000_000);
            Assert.Equal(Math.Min(most, batch.Count), count);
            Assert.Equal(request.Length, BytesOf(request).Length);
            found.AddRange(Decode(request).ResourceLogs[0].ScopeLogs.SelectMany(static logs => logs.LogRecords.Select(record => (logs.Scope.Name, record.Body.StringValue))));
            batch.Advance(request.BatchBytes);
        }

        var expected = records[..900].GroupBy(static record => record.Category).SelectMany(static group => group)
            .Concat(records[900..].GroupBy(static record => record.Category).SelectMany(static group => group))
            .Select(static record => (record.Category, record.Decoded().Body.StringValue));
        Assert.Equal(expected, found);
    }

    [Fact]
    public void After_records_were_taken_out_of_the_batch_the_rest_is_sent_as_it_was()
    {
        var batch = LogBatch.Create([.. Enumerable.Range(0, 500).Select(static i => Record(string.Create(CultureInfo.InvariantCulture, $"{i} {new string('x', 200)}"), "C"))]);
        batch.Refuse(300, DropReason.Oversize);
        batch.Refuse(0, DropReason.Oversize);
        var request = new OtlpRequest(Resource);

        Assert.Equal(498, request.Fill(batch, 512, 4_000_000));

        var numbers = Decode(request).ResourceLogs[0].ScopeLogs[0].LogRecords.Select(static record => int.Parse(record.Body.StringValue.Split(' ')[0], CultureInfo.InvariantCulture));
        Assert.Equal(Enumerable.Range(1, 499).Where(static number => number != 300), numbers);
        Assert.Equal(batch.Bytes.Length, request.BatchBytes);
    }

    private static ExportLogsServiceRequest Decode(OtlpRequest request) => ExportLogsServiceRequest.Parser.ParseFrom(BytesOf(request));

    private static BatchRecord Record(string body, string category)
    {
        var record = new Protocol.LogRecord { Body = new AnyValue { StringValue = body } };
        return new BatchRecord(EncodedRecord.Of(record), LogLevel.Information, DateTimeOffset.UnixEpoch, category);
    }
}
