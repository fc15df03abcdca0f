using System.Globalization;
using System.Text;
using System.Text.Json;

namespace AsyncLog.Tests.Transport;

/// <summary>One line of otlp-transport.jsonl; an unknown field is an error, so that nothing is skipped silently.</summary>
internal sealed class TransportVector
{
    private static readonly string[] Fields = ["id", "req", "what", "transport", "batch", "answers", "expect", "opt", "now", "disposeAfterMs", "deadlineMs"];
    private static readonly string[] AnswerFields = ["status", "headers", "body", "text", "bodyRepeat", "message", "trailers", "trailersOnly", "failure", "repeat"];
    private readonly JsonElement _vector;

    private TransportVector(JsonElement vector) => _vector = vector;

    public bool IsGrpc => _vector.GetProperty("transport").GetString() == "grpc";

    public int Batch => _vector.GetProperty("batch").GetInt32();

    public JsonElement Expect => _vector.GetProperty("expect");

    public bool DisposesAtOnce => _vector.TryGetProperty("disposeAfterMs", out var after) && after.GetInt32() == 0;

    public TimeSpan Deadline => TimeSpan.FromMilliseconds(_vector.GetProperty("deadlineMs").GetInt32());

    /// <summary>Whether it is about what happens while nothing can be sent.</summary>
    public bool IsEndlessOutage => Expect.TryGetProperty("callerBlocked", out _);

    public FakeTimeProvider Clock => _vector.TryGetProperty("now", out var now)
        ? new FakeTimeProvider(DateTimeOffset.Parse(now.GetString()!, CultureInfo.InvariantCulture))
        : new FakeTimeProvider();

    public IEnumerable<StubAnswer> Answers => _vector.GetProperty("answers").EnumerateArray().Select(AnswerOf);

    public static TransportVector Parse(string line)
    {
        JsonElement vector = JsonDocument.Parse(line).RootElement;
        Assert.All(vector.EnumerateObject(), static field => Assert.Contains(field.Name, Fields));
        Assert.All(vector.GetProperty("answers").EnumerateArray().SelectMany(static answer => answer.EnumerateObject()), static field => Assert.Contains(field.Name, AnswerFields));
        return new TransportVector(vector);
    }

    public void Configure(AsyncOtlpOptions options)
    {
        options.Protocol = IsGrpc ? OtlpProtocol.Grpc : OtlpProtocol.HttpProtobuf;
        options.MaxRetryTime = TimeSpan.FromSeconds(60);
        if (!_vector.TryGetProperty("opt", out var chosen))
            return;
        foreach (JsonProperty option in chosen.EnumerateObject())
        {
            switch (option.Name)
            {
                case nameof(options.RetryUnauthorized):
                    options.RetryUnauthorized = option.Value.GetBoolean();
                    break;
                case nameof(options.MaxRetryTime):
                    options.MaxRetryTime = TimeSpan.FromMilliseconds(option.Value.GetInt32());
                    break;
                case nameof(options.UserAgentProduct):
                    options.UserAgentProduct = option.Value.GetString();
                    break;
                case nameof(options.MaxQueueLength):
                    options.MaxQueueLength = option.Value.GetInt32();
                    break;
                default:
                    Assert.Fail("unknown option " + option.Name);
                    break;
            }
        }
    }

    private StubAnswer AnswerOf(JsonElement answer)
    {
        bool isPlain = answer.TryGetProperty("status", out var status);
        var headers = PairsOf(answer, "headers");
        if (IsGrpc && !headers.Exists(static header => header.Key.Equals("Content-Type", StringComparison.OrdinalIgnoreCase)))
            headers.Add(new("Content-Type", "application/grpc"));
        return new StubAnswer
        {
            Status = isPlain ? status.GetInt32() : 200,
            Headers = headers,
            Body = BodyOf(answer),
            Repeat = answer.TryGetProperty("bodyRepeat", out var repeat) ? repeat.GetProperty("times").GetInt32() / (4 << 10) : 1,
            Trailers = PairsOf(answer, "trailers"),
            Failure = answer.TryGetProperty("failure", out var failure) ? failure.GetString() : null,
        };
    }

    private static List<KeyValuePair<string, string>> PairsOf(JsonElement answer, string name) => answer.TryGetProperty(name, out var pairs)
        ? [.. pairs.EnumerateObject().Select(static pair => KeyValuePair.Create(pair.Name, pair.Value.GetString()!))]
        : [];

    private static byte[] BodyOf(JsonElement answer)
    {
        if (answer.TryGetProperty("body", out var hex))
            return Convert.FromHexString(hex.GetString()!);
        if (answer.TryGetProperty("text", out var text))
            return Encoding.UTF8.GetBytes(text.GetString()!);
        if (answer.TryGetProperty("bodyRepeat", out var repeat))
            return [.. Enumerable.Repeat(Convert.ToByte(repeat.GetProperty("byte").GetString(), 16), 4 << 10)];
        if (!answer.TryGetProperty("message", out var message))
            return [];
        byte[] content = Convert.FromHexString(message.GetString()!);
        return [0, 0, 0, 0, (byte)content.Length, .. content];
    }
}
