using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>The samples of vectors/health.jsonl that the books of this sink answer already; the others are those of the meter.</summary>
public sealed class HealthVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("health.jsonl").Where(static line => EventsOf(line).TextOf("sink", null) == "syslog")];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task The_books_say_what_the_vector_says(string line)
    {
        var vector = VectorFile.Parse(line, "id", "req", "what", "events", "expect");
        var events = vector.GetProperty("events");
        VectorFile.RequireKnown(events, "sink", "record", "MaxMessageBytes", "calls", "enabled", "callsAfterDispose");
        using var harness = new SyslogHarness(options =>
        {
            VectorOptions.Set(options, null);
            options.MaxMessageBytes = events.Find("MaxMessageBytes")?.GetInt32();
            options.LogLevel["Default"] = LogLevel.Information;
        });

        var logger = harness.Logger();
        if (events.Find("record") is { } record)
            VectorRecord.Log(record, harness);
        Log(logger, events.IntOf("enabled", events.IntOf("calls")), LogLevel.Information);
        Log(logger, events.IntOf("calls") - events.IntOf("enabled", events.IntOf("calls")), LogLevel.Debug);
        await harness.TakeAsync();
        if (events.Find("callsAfterDispose") is { } late)
        {
            harness.Provider.Dispose();
            Log(logger, late.GetInt32(), LogLevel.Information);
        }

        Check(vector.GetProperty("expect"), harness.Status);
    }

    private static JsonElement EventsOf(string line) => JsonDocument.Parse(line).RootElement.GetProperty("events");

    private static void Log(ILogger logger, int calls, LogLevel level)
    {
        for (var i = 0; i < calls; i++)
            logger.Log(level, default, "state", null, static (_, _) => "m");
    }

    private static void Check(JsonElement expect, SinkStatus status)
    {
        foreach (var entry in expect.EnumerateObject())
        {
            if (entry.Name == "asynclog.sink.dropped")
            {
                var dropped = status.Drops.Where(static drop => drop.Reason == DropReason.AlreadyShutdown).Sum(static drop => drop.Count);
                Assert.Equal(Assert.Single(entry.Value.EnumerateObject(), static reason => reason.Name == "error.type=already_shutdown").Value.GetInt64(), dropped);
                Assert.Equal(dropped, status.Dropped);
                continue;
            }

            Assert.Equal(entry.Value.GetInt64(), entry.Name switch
            {
                "asynclog.sink.truncated" => status.Truncated,
                "asynclog.syslog.parameters.dropped" => status.PropertiesLeftOut,
                "asynclog.sink.enqueued" => status.Enqueued,
                "offered" => status.Offered,
                _ => throw new NotSupportedException(entry.Name),
            });
        }
    }
}
