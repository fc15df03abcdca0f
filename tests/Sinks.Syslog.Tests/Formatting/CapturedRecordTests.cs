using System.Diagnostics;
using System.Text;
using System.Text.Json.Nodes;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog.Tests.Formatting;

/// <summary>What capture hands over, as it stands in a syslog record: collections, names of holes, activities, records of a buffer.</summary>
public sealed class CapturedRecordTests
{
    [Fact]
    public async Task Values_are_compact_json_and_names_have_no_sign()
    {
        using var harness = new SyslogHarness(static _ => { });
        harness.Logger().LogInformation("{@Colors} {Pairs} {Json}", new[] { Color.Red }, new List<KeyValuePair<string, int>> { new("k", 7) }, new JsonObject { ["a"] = 1 });
        Assert.Contains(" Colors=\"[\\\"Red\\\"\\]\" Pairs=\"{\\\"k\\\":7}\" Json=\"{\\\"a\\\":1}\"]", await Text(harness), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_object_is_compact_json_in_the_message_and_the_structured_data()
    {
        using var harness = new SyslogHarness(static _ => { });
        harness.Logger().LogInformation("placed {@Order} of {$Customer}", new { Id = 5, Color = Color.Red, Text = "a\"]" }, new List<int>());
        var record = await Text(harness);
        Assert.Contains(
            """ Order="{\"Id\":5,\"Color\":\"Red\",\"Text\":\"a\\\"\]\"}" Customer="System.Collections.Generic.List`1[System.Int32\]"]""", record, StringComparison.Ordinal);
        Assert.EndsWith("""placed {"Id":5,"Color":"Red","Text":"a\"]"} of System.Collections.Generic.List`1[System.Int32]""", record, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ActivityIdFormat.Hierarchical, true)]
    [InlineData(ActivityIdFormat.W3C, false)]
    public async Task The_ids_of_an_activity_are_properties_where_the_record_has_none(ActivityIdFormat format, bool areProperties)
    {
        using var harness = new SyslogHarness(static _ => { });
        ((ISupportExternalScope)harness.Provider).SetScopeProvider(new TrackingProvider());
        using var activity = new Activity("request").SetIdFormat(format).Start();
        harness.Provider.CreateLogger("C").LogInformation("m");
        var record = await Text(harness);
        Assert.Equal(areProperties, record.Contains(" SpanId=\"s\" TraceId=\"t\"]", StringComparison.Ordinal));
        Assert.Equal(areProperties, record.Contains("Id=\"", StringComparison.Ordinal));
        Assert.Equal(!areProperties, record.Contains("trace_id=", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_exception_of_a_buffered_record_is_made_of_its_attributes_and_told_once()
    {
        using var harness = new SyslogHarness(static _ => { });
        ((IBufferedLogger)harness.Provider.CreateLogger("C")).LogRecords([new Buffered("No such item", new("exception.type", "Shop.Gone"), new("Id", "7"), new("exception.stacktrace", "at X"))]);
        var record = await Text(harness);
        Assert.Contains(" exceptionType=\"Shop.Gone\" exceptionMessage=\"No such item\"]", record, StringComparison.Ordinal);
        Assert.EndsWith(" Id=\"7\"] m\\nShop.Gone: No such item\\nat X", record.Replace("\\r", "", StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.DoesNotContain("exception.", record, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_empty_exception_of_a_buffered_record_is_none()
    {
        using var harness = new SyslogHarness(static _ => { });
        ((IBufferedLogger)harness.Provider.CreateLogger("C")).LogRecords([new Buffered("")]);
        var record = await Text(harness);
        Assert.EndsWith("] m", record, StringComparison.Ordinal);
        Assert.DoesNotContain("exception", record, StringComparison.Ordinal);
    }

    private static async Task<string> Text(SyslogHarness harness) => Encoding.UTF8.GetString(Assert.Single(await harness.TakeAsync()));

    private enum Color : byte
    {
        Red = 1,
    }

    private sealed class Buffered(string exception, params KeyValuePair<string, object?>[] attributes) : BufferedLogRecord
    {
        public override DateTimeOffset Timestamp => DateTimeOffset.UnixEpoch;
        public override LogLevel LogLevel => LogLevel.Error;
        public override EventId EventId => default;
        public override string Exception => exception;
        public override string FormattedMessage => "m";
        public override IReadOnlyList<KeyValuePair<string, object?>> Attributes => attributes;
    }

    /// <summary>Hands over the scope of an activity as the factories of MEL and of Microsoft.Extensions.Telemetry do.</summary>
    private sealed class TrackingProvider : IExternalScopeProvider
    {
        public void ForEachScope<TState>(Action<object?, TState> callback, TState state)
        {
            var scope = new List<KeyValuePair<string, object?>> { new("SpanId", "s"), new("TraceId", "t") };
            Activity.Current!.SetCustomProperty("__ActivityLogScope__", scope);
            callback(scope, state);
        }

        public IDisposable Push(object? state) => throw new NotSupportedException();
    }
}
