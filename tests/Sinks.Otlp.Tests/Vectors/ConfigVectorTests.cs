using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Tests;

/// <summary>The samples of vectors/otlp-config.jsonl: variables and options, and what comes into force.</summary>
public sealed class ConfigVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("otlp-config.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public void Settings_are_those_of_their_vector(string line)
    {
        var vector = VectorFile.Parse(line, "id", "req", "what", "env", "appsettings", "options", "expect");
        // Configuration hosts build from the environment has its variables at the root.
        IEnumerable<(string, string?)> values =
            [.. Pairs(vector.Find("env")), .. Pairs(vector.Find("appsettings")), ("AsyncLog:StartupReport", "false")];

        using var provider = OtlpProvider.Start(values, HostNameOf(vector.Find("options")), options => Configure(options, vector.Find("options")));

        Check(vector.GetProperty("expect"), provider.Options.GetValueOrDefault("otlp/default"));
    }

    private static IEnumerable<(string, string?)> Pairs(JsonElement? map) =>
        map is { } given ? given.EnumerateObject().Select(static pair => (pair.Name, (string?)pair.Value.GetString())) : [];

    private static string? HostNameOf(JsonElement? options) => options?.TextOf("HostApplicationName", null);

    private static void Configure(AsyncOtlpOptions options, JsonElement? vector)
    {
        if (vector is not { } given)
            return;
        VectorFile.RequireKnown(given, "Endpoint", "HostApplicationName");
        if (given.TextOf("Endpoint", null) is { } endpoint)
            options.Endpoint = new Uri(endpoint);
    }

    private static void Check(JsonElement expect, AsyncOtlpOptions? inForce)
    {
        if (expect.Find("disabled") is { } disabled)
            Assert.Equal(disabled.GetBoolean(), inForce is null);
        var options = inForce ?? new AsyncOtlpOptions();
        foreach (var (name, value) in expect.EnumerateObject().Select(static field => (field.Name, field.Value)))
        {
            if (name.StartsWith("resource", StringComparison.Ordinal))
                CheckResource(name, value, options);
            else if (name is "warnings" or "errors" or "infos" or "neverPrinted")
                CheckNotices(name, value, options.Variables.Notices);
            else if (name != "disabled")
                Assert.Equal(value.ToString(), Shown(name, options));
        }
    }

    private static string Shown(string name, AsyncOtlpOptions options) => name switch
    {
        "url" => options.Endpoint!.AbsoluteUri,
        "protocol" => OtlpProtocolNames.Of(options.Protocol),
        "compression" => options.Compression.ToString().ToLowerInvariant(),
        "timeoutMs" => Milliseconds(options.Timeout),
        "scheduleDelayMs" => Milliseconds(options.ScheduledDelay),
        "maxRetryTimeMs" => options.MaxRetryTime is { } most ? Milliseconds(most) : "",
        "batch" => Number(options.MaxExportBatchSize),
        "queue" => Number(options.MaxQueueLength),
        "maxRequestBytes" => Number(options.MaxRequestBytes),
        "attributeCountLimit" => Number(options.AttributeCountLimit),
        "attributeValueLengthLimit" => Number(options.AttributeValueLengthLimit),
        "headers" => JsonSerializer.Serialize(options.Headers),
        _ => throw new NotSupportedException(name),
    };

    private static void CheckResource(string name, JsonElement value, AsyncOtlpOptions options)
    {
        var attributes = OtlpResource.AttributesOf(options).ToDictionary();
        switch (name)
        {
            case "resource":
                Assert.All(value.EnumerateObject(), pair => Assert.Equal(pair.Value.GetString(), attributes[pair.Name]));
                break;
            case "resourceHasNot":
                Assert.All(value.EnumerateArray(), key => Assert.False(attributes.ContainsKey(key.GetString()!)));
                break;
            case "resourceStartsWith":
                Assert.All(value.EnumerateObject(), pair => Assert.StartsWith(pair.Value.GetString()!, (string)attributes[pair.Name], StringComparison.Ordinal));
                break;
            default:
                throw new NotSupportedException(name);
        }
    }

    private static void CheckNotices(string name, JsonElement value, List<OtlpNotice> notices)
    {
        if (name == "neverPrinted")
        {
            Assert.DoesNotContain(notices, notice => notice.Message.Contains(value.GetString()!, StringComparison.Ordinal));
            return;
        }

        var severity = name switch { "warnings" => SelfReportLevel.Warning, "errors" => SelfReportLevel.Error, _ => SelfReportLevel.Info };
        Assert.Equal(value.GetInt32(), notices.Count(notice => notice.Severity == severity));
    }

    private static string Milliseconds(TimeSpan time) => time.TotalMilliseconds.ToString(CultureInfo.InvariantCulture);

    private static string Number(int? number) => number?.ToString(CultureInfo.InvariantCulture) ?? "";
}
