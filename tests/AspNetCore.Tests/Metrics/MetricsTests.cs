using System.Diagnostics.Metrics;
using AsyncLog.Tests.Support;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Metrics;

public sealed class MetricsTests
{
    [Fact]
    public async Task Every_instrument_of_the_meter_stands_in_the_text_under_its_name_kind_and_unit()
    {
        await using var app = await TestApp.Start(static logging => logging.AddMoody("one", new Mood()));
        using var instruments = new MeterListener();
        var published = new List<Instrument>();
        instruments.InstrumentPublished = (instrument, _) =>
        {
            if (instrument.Meter.Name == AsyncLogMeter.Name && instrument.Meter.Scope == app.Meters)
                published.Add(instrument);
        };
        app.Logger().LogInformation("one record, so that there is a write");
        await Eventually.Holds(() => app.Status("moody/one").Written == 1, () => "not written");
        instruments.Start();

        var text = OpenMetricsText.Parse(await Scrape(app));

        // Without a failed operation there is no series of failures.
        var expected = published.Where(static instrument => instrument.Name != "asynclog.sink.errors").Select(Expected).Distinct().Order(StringComparer.Ordinal);
        Assert.NotEmpty(expected);
        Assert.Equal(expected, text.Families.Values.Select(static family => $"{family.Name} {family.Metadata["TYPE"]}").Order(StringComparer.Ordinal));
        Assert.All(text.Families.Values, static family => Assert.NotEmpty(family.Metadata["HELP"]));
    }

    [Fact]
    public async Task Whatever_a_sink_calls_its_instruments_and_tags_the_text_stays_one_that_Prometheus_reads()
    {
        string[] names = ["my-sink.things", "my.sink.things", "my_sink_things", "9 lives", "größe", "", "asynclog.sink.written", "asynclog.sink.batch.size.count", "a\nb\"c{}", "queue:depth"];
        await using var app = await TestApp.Start(logging => logging.AddMoody("one", new Mood(), options => options.OnCreate = context =>
        {
            foreach (var name in names)
                context.CreateInstrument(name, SinkInstrumentKind.Counter, "{thing}", "Things: \"quoted\", \\ and\nlines.").Add(
                    1, new("my-tag", "a\"b\\c\nd"), new("my.tag", "2"), new("1st", "3"), new("asynclog.sink.name", "4"));
            context.CreateInstrument("my-sink.bytes", SinkInstrumentKind.Gauge, "By", "Bytes.").Set(1);
            context.CreateInstrument("my.sink.bytes", SinkInstrumentKind.Gauge, "By", "Bytes.").Set(2);
        }));

        var families = OpenMetricsText.Parse(await Scrape(app)).Families;

        string[] expected =
            ["my_sink_things", "my_sink_things_2", "my_sink_things_3", "_9_lives", "gr__e", "_", "asynclog_sink_written_2", "asynclog_sink_batch_size_count_2", "a_b_c__", "queue_depth", "my_sink_bytes", "my_sink_bytes_2"];
        Assert.All(expected, name => Assert.True(families.ContainsKey(name), name + " is not among " + string.Join(' ', families.Keys)));
        Assert.Equal((1, 2), (Assert.Single(families["my_sink_bytes"].Samples).Value, Assert.Single(families["my_sink_bytes_2"].Samples).Value));
        var labels = Assert.Single(families["my_sink_things"].Samples).Labels;
        Assert.Equal(("a\"b\\c\nd", "2", "3", "moody/one", "4"), (labels["my_tag"], labels["my_tag_2"], labels["_1st"], labels["asynclog_sink_name"], labels["asynclog_sink_name_2"]));
    }

    [Fact]
    public async Task The_counters_add_up_in_every_scrape_while_records_flow_and_are_lost()
    {
        var mood = new Mood();
        await using var app = await TestApp.Start(logging => logging.AddMoody("one", mood, static options => options.MaxQueueLength = 500));
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        var offered = 0L;
        var callers = Enumerable.Range(0, 3).Select(_ => Task.Run(() => Storm(app.Logger(), stop.Token, ref offered))).ToArray();
        for (var scrape = 0; scrape < 60; scrape++)
        {
            if (scrape % 10 == 0)
                mood.Hang();
            if (scrape % 10 == 5)
                mood.GoOn();
            var least = Interlocked.Read(ref offered);
            var text = OpenMetricsText.Parse(await Scrape(app));
            Balances(text);
            // One call of each caller may be counted by one of the two only.
            Assert.InRange(Offered(text), least, Interlocked.Read(ref offered) + callers.Length);
        }

        await stop.CancelAsync();
        await Task.WhenAll(callers);
        mood.GoOn();
        await app.AtRest("moody/one");
        var atRest = OpenMetricsText.Parse(await Scrape(app));
        Balances(atRest);
        Assert.True(atRest.Sum("asynclog_sink_dropped_total") > 0, "nothing was lost");
        Assert.Equal(Interlocked.Read(ref offered), Offered(atRest));
        Assert.Equal(atRest.Sum("asynclog_sink_written_total"), atRest.Sum("asynclog_sink_batch_size_sum"));
    }

    [Fact]
    public void Labels_survive_whatever_characters_they_have()
    {
        const string hostile = "a\\b\"c\nd}e,f=\"g";
        var writer = new OpenMetricsWriter();
        writer.Family("asynclog_test", "gauge", "", "Back\\slash and\nline.");
        writer.Sample("asynclog_test", [new Label("server_address", hostile)], [], 0.5);
        var sample = Assert.Single(OpenMetricsText.Parse(writer.End()).Families["asynclog_test"].Samples);
        Assert.Equal((hostile, 0.5), (sample.Labels["server_address"], sample.Value));
    }

    [Theory]
    [InlineData(0.0001, "0.0001")]
    [InlineData(1, "1.0")]
    [InlineData(10000, "10000.0")]
    [InlineData(double.PositiveInfinity, "+Inf")]
    public void Bounds_are_decimal_numbers(double bound, string text) => Assert.Equal(text, OpenMetricsWriter.Bound(bound));

    [Fact]
    public async Task The_content_type_is_that_of_OpenMetrics()
    {
        await using var app = await TestApp.Start(static logging => logging.AddMoody("one", new Mood()));
        using var client = app.Client();
        using var answer = await client.GetAsync("/asynclog/metrics", TestContext.Current.CancellationToken);
        Assert.Equal("application/openmetrics-text; version=1.0.0; charset=utf-8", answer.Content.Headers.ContentType!.ToString());
    }

    [Fact]
    public async Task Two_applications_in_one_process_do_not_count_for_each_other()
    {
        await using var one = await TestApp.Start(static logging => logging.AddMoody("one", new Mood()));
        await using var other = await TestApp.Start(static logging => logging.AddMoody("other", new Mood()));
        other.Logger().LogInformation("for the other only");
        await Eventually.Holds(() => other.Status("moody/other").Written == 1, () => "not written");
        await Eventually.Holds(async () => (await Scrape(other)).Contains("asynclog_sink_batch_size_count", StringComparison.Ordinal), () => "the batch was not measured");
        Assert.Contains("moody/other", await Scrape(other), StringComparison.Ordinal);
        var text = await Scrape(one);
        Assert.Contains("moody/one", text, StringComparison.Ordinal);
        Assert.DoesNotContain("moody/other", text, StringComparison.Ordinal);
    }

    private static void Storm(ILogger logger, CancellationToken stop, ref long offered)
    {
        while (!stop.IsCancellationRequested)
        {
            logger.LogInformation("record");
            Interlocked.Increment(ref offered);
        }
    }

    private static double Offered(OpenMetricsText text) => text.Sum("asynclog_sink_enqueued_total") + LostBefore(text);

    private static double LostBefore(OpenMetricsText text)
    {
        string[] reasons = ["queue_full", "queue_memory", "reentrant", "render_failed", "already_shutdown"];
        return reasons.Sum(reason => text.Sum("asynclog_sink_dropped_total", ("error_type", reason)));
    }

    private static void Balances(OpenMetricsText text)
    {
        var lostBefore = LostBefore(text);
        var lostAfter = text.Sum("asynclog_sink_dropped_total") - lostBefore;
        Assert.Equal(
            text.Sum("asynclog_sink_enqueued_total"),
            text.Sum("asynclog_sink_written_total") + lostAfter + text.Sum("asynclog_sink_queue_size") + text.Sum("asynclog_sink_in_flight"));
        Assert.Equal(0, Assert.Single(text.Families["asynclog_sink_unaccounted"].Samples).Value);
    }

    private static string Expected(Instrument instrument)
    {
        var unit = instrument.Unit switch { "By" => "_bytes", "s" => "_seconds", _ => "" };
        var type = instrument.GetType().Name;
        var kind = type.StartsWith("ObservableCounter", StringComparison.Ordinal) ? "counter" : type.StartsWith("Histogram", StringComparison.Ordinal) ? "histogram" : "gauge";
        var name = instrument.Name.Replace('.', '_');
        // A name that ends with its unit does not get it twice.
        return name.EndsWith("_bytes", StringComparison.Ordinal) ? $"{name} {kind}" : $"{name}{unit} {kind}";
    }

    private static async Task<string> Scrape(TestApp app)
    {
        using var client = app.Client();
        return await client.GetStringAsync("/asynclog/metrics", TestContext.Current.CancellationToken);
    }
}
