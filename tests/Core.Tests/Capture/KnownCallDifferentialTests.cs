using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Random calls through real loggers: a call that a logger saw before has the bytes of one that it never saw.</summary>
public sealed class KnownCallDifferentialTests
{
    private const int CallsPerRun = 125;
    private const int MessagesPerRun = 6;

    // More than a call needs until it is known, and all of them once more after all others.
    private const int Times = 6;
    private const int TimesAgain = 1;

    private static readonly string?[] Templates =
    [
        null,
        "{Timestamp:HH:mm:ss.fff} [{Level:u3}] [{Category}] {Message}{NewLine}{Exception}",
        "{Message}",
        "{Level,-12:w}{Category:s} {EventId} {EventName,-8}|{Message}|{EventName}{Exception}{NewLine}",
        "{Scopes} {Level} {Message} {Properties}{NewLine}{Exception}",
        "<{Message,-30}> {ThreadId} {TraceId}/{SpanId}",
        "{Message} {Message} {Scopes}",
        "{Id} before {Message} after {TraceId}\n{Category} {Name}",
        "a literal that is longer than any block of constant text [{Category}]: {Message} - and another one that is too long{NewLine}",
    ];

    private static readonly string[] Categories = ["Shop.Cart", "bench", "Quoted \" \n \u00E4", "A.Category.With.A.Name.That.Is.Longer.Than.One.Block.Of.Constant.Text", "Microsoft.AspNetCore.Hosting.Diagnostics"];

    [Fact]
    public void The_records_of_a_call_that_is_known_have_the_bytes_of_one_that_is_new()
    {
        var runs = ReleaseRun.Count(usual: 1_000, release: 200_000) / CallsPerRun;
        var compared = 0L;
        for (var seed = 0; seed < runs; seed++)
            compared += Compare(seed);
        Assert.True(compared >= 8L * runs * CallsPerRun * (Times + TimesAgain), $"{compared} records");
    }

    private static long Compare(int seed)
    {
        var values = new CallValues(new Random(seed));
        var scopes = new LoggerExternalScopeProvider();
        var size = seed % 4 == 3 ? 1 << 10 : 64 << 10;
        using var pipelines = new ComparedPipelines(scopes, LayoutsOf(values, size));
        // The number of bytes in a record that was cut depends on where the message comes from.
        pipelines.Ways.PrefersCold = size < 64 << 10;
        // Every second run is inside a request.
        using var activity = seed % 2 == 0 ? null : new Activity("request").Start();
        using var outer = seed % 2 == 0 ? null : scopes.Push(new KeyValuePair<string, object?>[] { new("RequestId", "0HM:1"), new("Name", "scope") });
        using var inner = seed % 2 == 0 ? null : scopes.Push("Gr\u00F6\u00DFe");
        using var culture = new ForeignCulture(values.Kinds);
        var messages = Enumerable.Range(0, MessagesPerRun).Select(i => DefinedMessage.OfTypes([.. Enumerable.Range(0, 1 + (i % 6)).Select(_ => values.Type())])).ToArray();
        var calls = Enumerable.Range(0, CallsPerRun).Select(_ => RandomCall.New(values, messages)).ToArray();
        // As old as the texts in the code: a young one may be built for one call.
        GC.Collect();
        GC.Collect();
        string[] categories = [values.Pick(Categories), values.Pick(Categories)];
        foreach (var times in (int[])[Times, TimesAgain])
        {
            foreach (var call in calls)
            {
                var category = values.Pick(categories);
                for (var i = 0; i < times; i++)
                    Log(pipelines, category, call, values);
            }

            pipelines.AssertEqual($"seed {seed}");
        }

        return pipelines.Ways.Compared;
    }

    private static void Log(ComparedPipelines pipelines, string category, RandomCall call, CallValues values)
    {
        if (values.Chance(3))
            pipelines.Ways.Clock.Move(TimeSpan.FromTicks(values.Pick([1, 10_000, TimeSpan.TicksPerMillisecond * 999, TimeSpan.TicksPerSecond, TimeSpan.TicksPerHour * 25, -TimeSpan.TicksPerSecond])));
        var (log, cold) = call.Next(values);
        pipelines.Ways.Log(category, log, cold, call.Text);
    }

    private static ComparedLayout[] LayoutsOf(CallValues values, int size)
    {
        KeyValuePair<string, string>[] properties = values.Chance(4) ? [new("Id", "constant"), new("zone", "\u00E4")] : [];
        return
        [
            new("Text", values.Pick(Templates)) { MaxRecordSize = size },
            new("Json") { MaxRecordSize = size, Properties = properties },
            new("Clef") { MaxRecordSize = size, Properties = properties, IncludeScopes = values.Chance(4) ? false : null },
            new("Text", values.Pick(Templates)) { MaxRecordSize = size, IncludeScopes = values.Chance(2), MaxLevel = values.Chance(2) ? LogLevel.Warning : null },
        ];
    }
}
