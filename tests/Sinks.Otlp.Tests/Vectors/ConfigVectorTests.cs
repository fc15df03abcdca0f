using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using System.Globalization;
using System.Text.Json;
using AsyncLog.Tests.Configuration;

namespace AsyncLog.Tests.Vectors;

/// <summary>The lines of vectors/otlp-config.jsonl: variables and options, and what comes into force.</summary>
public sealed class ConfigVectorTests
{
    private static readonly string[] HostFields = ["HostApplicationName", "NoApplicationName"];

    public static TheoryData<string> Lines() => [.. VectorFile.Lines("otlp-config.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public void Settings_are_those_of_their_vector(string line)
    {
        var vector = VectorFile.Parse(line, "env", "appsettings", "options", "expect");
        // Configuration that hosts build from the environment has its variables at the root.
        IEnumerable<(string, string?)> values =
            [.. Pairs(vector.Find("env")), .. Pairs(vector.Find("appsettings")), ("AsyncLog:StartupReport", "false"), ("AsyncLog:SelfReportLevel", "Information")];
        var said = StandardError.Hear();
        using var events = new ConfigurationEvents();

        using var provider = OtlpProvider.Start(values, HostNameOf(vector.Find("options")), options => Configure(options, vector.Find("options")));

        var expect = new Expectations(vector.GetProperty("expect"));
        Check(expect, provider.Options.GetValueOrDefault("otlp/default"));
        CheckSaid(expect, [.. said]);
        if (expect.Has("neverPrinted"))
            CheckNeverPrinted(expect.Take("neverPrinted").GetString()!, [.. said, .. events.Texts]);
        expect.AssertAllChecked();
    }

    private static IEnumerable<(string, string?)> Pairs(JsonElement? map) =>
        map is { } given ? given.EnumerateObject().Select(static pair => (pair.Name, (string?)VectorValue.ReadText(pair.Value))) : [];

    /// <summary>What the host says; null: there is none, empty: one that knows no name.</summary>
    internal static string? HostNameOf(JsonElement? options) =>
        options?.BoolOf("NoApplicationName") == true ? "" : options?.TextOf("HostApplicationName", null);

    private static void Configure(AsyncOtlpLoggerOptions options, JsonElement? vector)
    {
        // What vectors assume; the default is none.
        options.MaxRetryTime = TimeSpan.FromSeconds(60);
        VectorOption.SetAll(options, vector, HostFields);
    }

    private static void Check(Expectations expect, AsyncOtlpLoggerOptions? inForce)
    {
        if (expect.Has("disabled"))
            Assert.Equal(expect.Take("disabled").GetBoolean(), inForce is null);
        if (inForce is not { } options)
            return;
        expect.Text("url", options.Endpoint!.AbsoluteUri);
        expect.Text("protocol", options.ProtocolName);
        expect.Text("compression", options.Compression.ToString().ToLowerInvariant());
        // No limit is written as null.
        CheckLimit(expect, "timeoutMs", options.Timeout == TimeSpan.Zero ? null : options.Timeout.TotalMilliseconds);
        CheckLimit(expect, "maxRetryTimeMs", Milliseconds(options.MaxRetryTime));
        CheckLimit(expect, "attributeCountLimit", options.AttributeCountLimit);
        CheckLimit(expect, "attributeValueLengthLimit", options.AttributeValueLengthLimit);
        expect.Number("scheduleDelayMs", options.ScheduledDelay.TotalMilliseconds);
        expect.Number("queue", options.MaxQueueLength);
        expect.Number("maxRequestBytes", options.MaxRequestSize);
        if (expect.Has("headers"))
        {
            var wanted = expect.Take("headers").EnumerateObject().ToDictionary(static pair => pair.Name, static pair => pair.Value.GetString()!, StringComparer.OrdinalIgnoreCase);
            Assert.Equal(wanted.OrderBy(static pair => pair.Key, StringComparer.Ordinal), options.Headers.OrderBy(static pair => pair.Key, StringComparer.Ordinal));
        }

        CheckResource(expect, OtlpResource.AttributesOf(options).ToDictionary());
    }

    private static double? Milliseconds(TimeSpan? time) => time?.TotalMilliseconds;

    private static void CheckLimit(Expectations expect, string name, double? actual)
    {
        if (!expect.Has(name))
            return;
        var wanted = expect.Take(name);
        if (wanted.ValueKind == JsonValueKind.Null)
            Assert.Equal((name, null), (name, actual));
        else
            Expectations.AssertNumber(name, wanted, actual ?? double.PositiveInfinity);
    }

    private static void CheckResource(Expectations expect, Dictionary<string, object> attributes)
    {
        foreach (var pair in expect.Pairs("resource"))
        {
            var actual = Convert.ToString(attributes.GetValueOrDefault(pair.Name), CultureInfo.InvariantCulture);
            Assert.Equal((pair.Name, pair.Value.ToString()), (pair.Name, actual));
        }

        foreach (var pair in expect.Pairs("resourceStartsWith"))
            Assert.StartsWith(pair.Value.GetString()!, (string)attributes[pair.Name], StringComparison.Ordinal);
        Assert.Empty(expect.Texts("resourceHas").Except(attributes.Keys, StringComparer.Ordinal));
        Assert.Empty(expect.Texts("resourceHasNot").Intersect(attributes.Keys, StringComparer.Ordinal));
    }

    private static void CheckSaid(Expectations expect, string[] said)
    {
        foreach (var (name, severity) in (ReadOnlySpan<(string, string)>)[("warnings", "AsyncLog: warn "), ("errors", "AsyncLog: error "), ("infos", "AsyncLog: info ")])
        {
            var lines = said.Where(line => line.Contains(severity, StringComparison.Ordinal)).ToArray();
            if (expect.Has(name))
                Assert.True(expect.Take(name).GetInt32() == lines.Length, $"{name}: {string.Join('\n', lines)}");
        }
    }

    // Nor with its control characters written as text.
    private static void CheckNeverPrinted(string secret, string[] printed)
    {
        Assert.NotEmpty(printed);
        var escaped = JsonSerializer.Serialize(secret)[1..^1];
        Assert.All(printed, text => Assert.DoesNotContain(secret, text, StringComparison.Ordinal));
        Assert.All(printed, text => Assert.DoesNotContain(escaped, text, StringComparison.Ordinal));
    }

    /// <summary>What the EventSource says of configuration.</summary>
    private sealed class ConfigurationEvents : EventListener
    {
        private const EventKeywords Lifecycle = (EventKeywords)0x1;
        private const EventKeywords Config = (EventKeywords)0x2;
        private readonly ConcurrentQueue<string> _texts = new();

        public IEnumerable<string> Texts => _texts;

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "AsyncLog-Diagnostics")
                EnableEvents(eventSource, EventLevel.Verbose, Lifecycle | Config);
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData) => _texts.Enqueue(string.Join(' ', eventData.Payload ?? new([])));
    }
}
