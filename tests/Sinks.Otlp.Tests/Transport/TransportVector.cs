using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using System.Text.Json;
using AsyncLog.Tests.Vectors;

namespace AsyncLog.Tests.Transport;

/// <summary>One line of otlp-transport.jsonl; an unknown field is an error, so that nothing is skipped silently.</summary>
internal sealed class TransportVector
{
    private static readonly string[] AnswerFields =
        ["status", "headers", "body", "text", "bodyRepeat", "message", "trailers", "trailersOnly", "failure", "rawBytes", "repeat", "forMs"];

    private static readonly string[] Failures = [StubAnswer.Refused, StubAnswer.Reset, StubAnswer.Closed, StubAnswer.Dns, StubAnswer.Silent];
    private readonly JsonElement _vector;

    public TransportVector(string line)
    {
        _vector = VectorFile.Parse(line, "transport", "batch", "answers", "expect", "opt", "now", "disposeAfterMs", "deadlineMs");
        Assert.Contains(_vector.GetProperty("transport").GetString(), (string[])["http", "grpc"]);
        Assert.NotEmpty(Answers);
        if (DisposeAfter is null)
            Assert.Null(_vector.Find("deadlineMs"));
    }

    public bool IsGrpc => _vector.GetProperty("transport").GetString() == "grpc";

    public int Batch => _vector.GetProperty("batch").GetInt32();

    public JsonElement Expect => _vector.GetProperty("expect");

    /// <summary>When the provider is disposed; null: when every record has its outcome.</summary>
    public TimeSpan? DisposeAfter => _vector.Find("disposeAfterMs") is { } time ? TimeSpan.FromMilliseconds(time.GetInt32()) : null;

    public TimeSpan Deadline => TimeSpan.FromMilliseconds(_vector.IntOf("deadlineMs", 5000));

    /// <summary>Whether the outage outlives the line: what waits has no outcome.</summary>
    public bool IsEndlessOutage => Expect.Find("callerBlocked") is not null && Expect.Find("action") is null;

    public FakeTimeProvider Clock => _vector.TextOf("now", null) is { } now ? new FakeTimeProvider(DateTimeOffset.Parse(now, CultureInfo.InvariantCulture)) : new FakeTimeProvider();

    public StubAnswer[] Answers => [.. _vector.GetProperty("answers").EnumerateArray().Select(AnswerOf)];

    public void Configure(AsyncOtlpLoggerOptions options)
    {
        options.Protocol = IsGrpc ? OtlpProtocol.Grpc : OtlpProtocol.HttpProtobuf;
        // What vectors assume; the default is none.
        options.MaxRetryTime = TimeSpan.FromSeconds(60);
        if (DisposeAfter is not null || IsEndlessOutage)
            options.ShutdownTimeout = IsEndlessOutage ? TimeSpan.FromMilliseconds(500) : Deadline;
        VectorOption.SetAll(options, _vector.Find("opt"), "Endpoint");
        // Only the path can be the line's: the server is the test's.
        if (_vector.Find("opt")?.TextOf("Endpoint", null) is { } endpoint)
            options.Endpoint = new UriBuilder(options.Endpoint!) { Path = new Uri(endpoint).AbsolutePath }.Uri;
    }

    /// <summary>Answers as vectors write them.</summary>
    public static StubAnswer AnswerOf(JsonElement answer, bool isGrpc)
    {
        VectorFile.RequireKnown(answer, AnswerFields);
        string? failure = answer.TextOf("failure", null);
        if (failure is not null)
            Assert.Contains(failure, Failures);
        bool isTrailersOnly = answer.BoolOf("trailersOnly");
        List<KeyValuePair<string, string>> headers = [.. PairsOf(answer, "headers"), .. isTrailersOnly ? PairsOf(answer, "trailers") : []];
        if (isGrpc && !headers.Exists(static header => header.Key.Equals("Content-Type", StringComparison.OrdinalIgnoreCase)))
            headers.Add(new("Content-Type", "application/grpc"));
        byte[] body = BodyOf(answer);
        Assert.False(isTrailersOnly && body.Length > 0, "an answer of trailers only has no body");
        return new StubAnswer
        {
            Status = answer.IntOf("status", 200),
            Headers = headers,
            Body = body,
            Trailers = isTrailersOnly ? [] : PairsOf(answer, "trailers"),
            BeginsWithHeaders = isGrpc && !isTrailersOnly,
            Failure = failure,
            Raw = answer.TextOf("rawBytes", null) is { } raw ? Convert.FromHexString(raw) : null,
            IsForEver = answer.BoolOf("repeat"),
            For = answer.Find("forMs") is { } time ? TimeSpan.FromMilliseconds(time.GetInt32()) : null,
        };
    }

    private StubAnswer AnswerOf(JsonElement answer) => AnswerOf(answer, IsGrpc);

    private static List<KeyValuePair<string, string>> PairsOf(JsonElement answer, string name) =>
        [.. answer.Find(name)?.EnumerateObject().Select(static pair => KeyValuePair.Create(pair.Name, pair.Value.ToString())) ?? []];

    private static byte[] BodyOf(JsonElement answer)
    {
        if (answer.TextOf("body", null) is { } hex)
            return Convert.FromHexString(hex);
        if (answer.TextOf("text", null) is { } text)
            return Encoding.UTF8.GetBytes(text);
        if (answer.Find("bodyRepeat") is { } repeat)
            return [.. Enumerable.Repeat(Convert.FromHexString(repeat.GetProperty("byte").GetString()!), repeat.GetProperty("times").GetInt32()).SelectMany(static bytes => bytes)];
        return answer.TextOf("message", null) is { } message ? Framed(Convert.FromHexString(message)) : [];
    }

    private static byte[] Framed(byte[] message)
    {
        var frame = new byte[5 + message.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(1), message.Length);
        message.CopyTo(frame, 5);
        return frame;
    }
}
