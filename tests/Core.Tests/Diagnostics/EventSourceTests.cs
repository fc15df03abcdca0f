using System.Diagnostics.Tracing;
using System.Globalization;
using System.Reflection;
using AsyncLog.Tests.Hosting;
using AsyncLog.Tests.Monitoring;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Diagnostics;

public sealed class EventSourceTests
{
    // An id never changes once it was released, and is never given to something else.
    private static readonly string[] Published =
    [
        "1 SinkStarted Informational Lifecycle(sink, target, format, bounds)",
        "2 SinkStopped Informational Lifecycle(sink, written, dropped, drainMs)",
        "3 ShutdownTimedOut Warning Lifecycle(sink, left)",
        "4 SinkStateChanged Warning Lifecycle(sink, from, to, reason)",
        "5 WorkerRestarted Error Lifecycle(sink, exceptionType)",
        "10 ConfigurationApplied Informational Config(sink, changedKeys)",
        "11 ConfigurationRejected Error Config(key, message, keptLastGood)",
        "12 UnknownConfigurationKey Warning Config(key, suggestion)",
        "20 DropsStarted Warning Queue(sink, reason)",
        "21 DropsEnded Warning Queue(sink, reason, count, firstUtc, lastUtc)",
        "22 QueueHighWater Informational Queue(sink, percent)",
        "23 CallerBlocked Verbose Queue(sink, ms)",
        "24 SpoolStarted Warning Queue(sink, directory)",
        "25 SpoolDrained Informational Queue(sink, sent)",
        "26 CrashRecovered Warning Lifecycle(sink, records, processId)",
        "30 FileOpened Informational File(sink, path, length)",
        "31 FileRolled Informational File(sink, from, to, reason)",
        "32 FileDeleted Informational File(sink, path, reason)",
        "33 FileReopened Informational File(sink, cause)",
        "34 FileError Error File(sink, operation, path, errorType, message)",
        "36 DiskLow Warning File(sink, freeBytes, minimumBytes)",
        "37 DiskRecovered Informational File(sink, freeBytes)",
        "40 Connected Informational Network(sink, endpoint, tlsProtocol)",
        "41 ConnectionLost Warning Network(sink, endpoint, errorType)",
        "42 RetryScheduled Verbose Network(sink, attempt, delayMs)",
        "43 BatchRejected Error Network(sink, status, rejected, message)",
        "44 TlsFailed Error Network(sink, endpoint, policyErrors)",
        "50 RecordTruncated Verbose Render(sink, bytes, limit)",
        "51 RenderFailed Error Render(category, eventId, exceptionType)",
        "52 StateNotMeasured Verbose Render(type, reason)",
    ];

    // Published once: never given to another event.
    private static readonly int[] Reserved = [13, 35];

    private static readonly Dictionary<long, string> Keywords = new()
    {
        [0x1] = "Lifecycle",
        [0x2] = "Config",
        [0x4] = "Queue",
        [0x8] = "File",
        [0x10] = "Network",
        [0x20] = "Render",
    };

    [Fact]
    public void Ids_names_levels_keywords_and_payloads_are_a_promise()
    {
        var events = typeof(AsyncLogEventSource).GetMethods(BindingFlags.Instance | BindingFlags.Public | BindingFlags.DeclaredOnly)
            .Select(static method => (Method: method, Event: method.GetCustomAttribute<EventAttribute>()!))
            .OrderBy(static told => told.Event.EventId)
            .Select(static told => string.Create(
                CultureInfo.InvariantCulture,
                $"{told.Event.EventId} {told.Method.Name} {told.Event.Level} {Keywords[(long)told.Event.Keywords]}({string.Join(", ", told.Method.GetParameters().Select(static parameter => parameter.Name))})"));
        Assert.Equal(Published, events);
        Assert.DoesNotContain(events, static told => Array.Exists(Reserved, id => told.StartsWith(FormattableString.Invariant($"{id} "), StringComparison.Ordinal)));
        Assert.Equal("AsyncLog-Diagnostics", AsyncLogEventSource.Log.Name);
    }

    [Fact]
    public void The_runtime_finds_no_fault_with_it()
    {
        Assert.Null(AsyncLogEventSource.Log.ConstructionException);
        var manifest = EventSource.GenerateManifest(typeof(AsyncLogEventSource), "AsyncLog.dll", EventManifestOptions.Strict);
        Assert.Contains("DropsEnded", manifest, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_event_arrives_with_its_payload()
    {
        using var reading = new EventReading("payload-test");
        var methods = typeof(AsyncLogEventSource).GetMethods(BindingFlags.Instance | BindingFlags.Public | BindingFlags.DeclaredOnly);
        Assert.Equal(Published.Length, methods.Length);
        foreach (var method in methods)
        {
            object[] arguments = [.. method.GetParameters().Select(ExampleOf)];
            method.Invoke(AsyncLogEventSource.Log, arguments);
            Assert.Equal(arguments, reading.Of(method.Name).Single());
        }
    }

    [Fact]
    public async Task An_instance_tells_its_beginning_and_its_end()
    {
        using var reading = new EventReading("watched");
        var pipeline = new WatchedPipeline(created: static context => context.SetTarget("memory"));
        Assert.True(await pipeline.Offer(3));
        pipeline.Dispose();
        Assert.Equal([pipeline.Name, "memory", "Text", "100000 records, 16777216 bytes"], reading.Of("SinkStarted").Single(told => Equals(told[0], pipeline.Name)));
        var stopped = reading.Of("SinkStopped").Single(told => Equals(told[0], pipeline.Name));
        Assert.Equal((3L, 0L), (stopped[1], stopped[2]));
        Assert.Equal([pipeline.Name, "healthy", "stopped", ""], reading.Of("SinkStateChanged").Last(told => Equals(told[0], pipeline.Name)));
    }

    [Fact]
    public void Retries_are_told_with_their_delay()
    {
        var time = new FakeTimeProvider();
        using var pipeline = new WatchedPipeline(time);
        using var reading = new EventReading(pipeline.Name);
        pipeline.Sink.Before = static _ => throw new LogSinkException("reset", "broken");
        _ = pipeline.Offer(1);
        Eventually.True(() => reading.Of("RetryScheduled").Any());
        Assert.Equal([[pipeline.Name, 1, 100L]], reading.Of("RetryScheduled"));
        Eventually.True(() => reading.Of("RetryScheduled").Count() > 1, () => time.Advance(TimeSpan.FromMilliseconds(1)));
        Assert.Equal([[pipeline.Name, 1, 100L], [pipeline.Name, 2, 200L]], reading.Of("RetryScheduled"));
        pipeline.Sink.Before = null;
    }

    [Fact]
    public void Changes_of_the_configuration_are_told_without_values()
    {
        using var pipeline = new ReloadPipeline();
        using var applied = new EventReading("reload/default", Thread.CurrentThread);
        using var rejected = new EventReading("Logging:Reload", Thread.CurrentThread);
        pipeline.Edit(("Tuning", "7"));
        Assert.Equal([["reload/default", "Tuning"]], applied.Of("ConfigurationApplied"));
        pipeline.Edit(("MaxQueueLength", "p4ssw0rd"), ("Tunning", "8"));
        Assert.Equal([["Logging:Reload:MaxQueueLength", "expected a whole number", true]], rejected.Of("ConfigurationRejected"));
        Assert.Equal([["Logging:Reload:Tunning", "did you mean 'Tuning'?"]], rejected.Of("UnknownConfigurationKey"));
    }

    [Fact]
    public void What_a_server_said_is_bounded_and_has_no_control_characters()
    {
        using var reading = new EventReading("otlp/rejecting");
        new InstanceEvents("otlp/rejecting", TimeProvider.System).BatchRejected("400", 3, "bad\r\n\u001b[31m\u2028" + new string('x', 5000));
        var message = (string)reading.Of("BatchRejected").Single()[3]!;
        Assert.StartsWith("bad\\u000d\\u000a\\u001b[31m\\u2028xxx", message, StringComparison.Ordinal);
        Assert.InRange(message.Length, 1000, 1100);
    }

    [Fact]
    public void What_fails_again_and_again_is_told_once_a_minute_with_the_count()
    {
        using var reading = new EventReading("otlp/paced");
        var time = new FakeTimeProvider();
        var events = new InstanceEvents("otlp/paced", time);
        for (var second = 0; second <= 60; second++)
        {
            events.BatchRejected("400", 3, "bad");
            events.TlsFailed("collector:4317", "RemoteCertificateNameMismatch");
            events.ConnectionLost("collector:4317", "refused");
            time.Advance(TimeSpan.FromSeconds(1));
        }

        events.ConnectionLost("collector:4317", "reset");
        Assert.Equal(["bad", "bad (59 more since the last event)"], reading.Of("BatchRejected").Select(static payload => payload[3]));
        Assert.Equal(
            ["RemoteCertificateNameMismatch", "RemoteCertificateNameMismatch (59 more since the last event)"],
            reading.Of("TlsFailed").Select(static payload => payload[2]));
        Assert.Equal(["refused", "refused", "reset"], reading.Of("ConnectionLost").Select(static payload => payload[2]));
    }

    [Fact]
    public async Task No_payload_holds_what_was_logged()
    {
        const string Secret = "s3cr3t-f00d";
        using var reading = new EventReading(Secret);
        using var pipeline = new WatchedPipeline(configure: static options => options.MaxRecordSize = 1024);
        using var told = new EventReading(pipeline.Name);
        using var render = new EventReading("Shop.Test");
        pipeline.Logger.LogInformation("{Secret} {Long}", Secret, new string('x', 5000));
        pipeline.Logger.LogError(new EventId(7), new InvalidOperationException(Secret), "{Value}", new Thrower(Secret));
        pipeline.Logger.Log<object>(LogLevel.Information, new EventId(8), Secret, null, static (_, _) => throw new InvalidOperationException(Secret));
        Assert.True(await pipeline.Flush());
        Assert.Empty(reading.Events);
        var cut = told.Of("RecordTruncated").Single();
        Assert.Equal(1024L, cut[2]);
        Assert.Contains(render.Of("RenderFailed"), static failed => Equals(failed[1], 8) && Equals(failed[2], "System.InvalidOperationException"));
        Assert.Contains(render.Of("RenderFailed"), static failed => Equals(failed[1], 7));
    }

    private static object ExampleOf(ParameterInfo parameter) => Type.GetTypeCode(parameter.ParameterType) switch
    {
        TypeCode.Int32 => 7,
        TypeCode.Int64 => 1L << 40,
        TypeCode.Boolean => true,
        _ => "payload-test " + parameter.Name,
    };

    private sealed class Thrower(string secret)
    {
        public override string ToString() => throw new InvalidOperationException(secret);
    }
}
