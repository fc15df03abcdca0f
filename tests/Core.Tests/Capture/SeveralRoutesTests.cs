using System.Collections.Concurrent;
using System.Globalization;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Records of known calls that go to several instances.</summary>
public sealed partial class SeveralRoutesTests
{
    // Far more than the events that a state and a call need until they are known.
    private const int Times = 40;

    private readonly ConcurrentDictionary<string, TestSink> _sinks = new();

    [Fact]
    public async Task Each_instance_gets_each_record_of_a_known_call_once_in_its_own_layout()
    {
        using var pipeline = New(clock: null, ("same", "Text"), ("json", "Json"));
        for (var i = 0; i < Times; i++)
        {
            Named(pipeline.Logger, i.ToString(CultureInfo.InvariantCulture));
            Named(pipeline.Logger, "M\u00FCller");
            Named(pipeline.Logger, null);
            pipeline.Logger.LogInformation("constant");
        }

        Assert.True(await pipeline.Flush());
        var messages = Enumerable.Range(0, Times).SelectMany(static i => new[] { "Name " + i.ToString(CultureInfo.InvariantCulture), "Name M\u00FCller", "Name (null)", "constant" }).ToList();
        Assert.Equal(messages, _sinks["default"].Records);
        Assert.Equal(messages, _sinks["same"].Records);
        Assert.Equal(messages, _sinks["json"].Records.Select(MessageOf));
    }

    [Fact]
    public async Task A_record_that_only_one_layout_writes_without_an_event_is_in_each_once_with_one_time()
    {
        var clock = new CountingClock();
        using var pipeline = New(clock, ("clef", "Clef"), ("json", "Json"));
        for (var i = 0; i < Times; i++)
            Named(pipeline.Logger, "known");
        // The layout CLEF leaves out a name of the scope that is one of the record.
        using (pipeline.Logger.BeginScope(new Dictionary<string, object?> { ["Name"] = "of the scope" }))
            Named(pipeline.Logger, "last");
        Assert.True(await pipeline.Flush());
        Assert.Equal((Times + 1, Times + 1, Times + 1), (_sinks["default"].Records.Count, _sinks["clef"].Records.Count, _sinks["json"].Records.Count));
        Assert.Equal("Name last", _sinks["default"].Records[^1]);
        var (clef, json) = (_sinks["clef"].Records[^1], _sinks["json"].Records[^1]);
        Assert.EndsWith("\"Name\":\"last\"}", clef, StringComparison.Ordinal);
        Assert.Contains("\"Scopes\":[{\"Name\":\"of the scope\"}]", json, StringComparison.Ordinal);
        Assert.Equal(clef["{\"@t\":\"".Length..][..27], json["{\"Timestamp\":\"".Length..][..27]);
    }

    [Fact]
    public async Task An_instance_that_refuses_a_level_leaves_the_records_to_the_others()
    {
        using var pipeline = New(clock: null, ("same", "Text"));
        for (var i = 0; i < Times; i++)
            Named(pipeline.Logger, "known");
        Assert.True(await pipeline.Flush());
        using var held = new ManualResetEventSlim();
        _sinks["same"].Before = _ => held.Wait(TestContext.Current.CancellationToken);
        // More than the queue of the instance holds.
        const int Many = 3000;
        for (var i = 0; i < Many; i++)
        {
            Named(pipeline.Logger, "more");
            if (i % 100 == 99)
                await Eventually.Holds(() => _sinks["default"].Records.Count == Times + i + 1);
        }

        held.Set();
        Assert.True(await pipeline.Flush());
        Assert.Equal(Times + Many, _sinks["default"].Records.Count);
        var status = pipeline.Control.GetStatus().Instances.Single(static instance => instance.Name.EndsWith("same", StringComparison.Ordinal));
        Assert.True(status.Dropped > 0);
        Counters.AssertAddUp(status, Times + Many);
        Assert.Equal(status.Written, _sinks["same"].Records.Count(static record => record.StartsWith("Name ", StringComparison.Ordinal)));
    }

    private static string MessageOf(string record)
    {
        using var json = System.Text.Json.JsonDocument.Parse(record);
        return json.RootElement.GetProperty("Message").GetString()!;
    }

    private TestPipeline New(TimeProvider? clock, params (string Name, string Format)[] others)
    {
        var type = new TestDefinition<TestOptions>("test", (_, context) => _sinks.GetOrAdd(context.Name.Split('/')[^1], static _ => new TestSink()));
        return new TestPipeline(new TestSink(), static options => options.MaxQueueLength = 1024, clock, type: type, services: services => services.AddLogging(builder =>
        {
            foreach (var (name, format) in others)
            {
                builder.AddSink<TestLoggerProvider, TestOptions>(
                    type, name, options => (options.Format, options.Template, options.IncludeScopes, options.MaxQueueLength) = (format, format == "Text" ? "{Message}{NewLine}" : null, format == "Text" ? null : true, 1024));
            }
        }));
    }

    [LoggerMessage(8, LogLevel.Information, "Name {Name}")]
    private static partial void Named(ILogger logger, string? name);

    private sealed class CountingClock : TimeProvider
    {
        private long _ticks = new DateTime(2026, 11, 28, 0, 0, 0, DateTimeKind.Utc).Ticks;

        public override DateTimeOffset GetUtcNow() => new(Interlocked.Increment(ref _ticks), TimeSpan.Zero);
    }
}
