using System.Text.Json;
using AsyncLog.Tests.Configuration;
using AsyncLog.Tests.Protocol;
using AsyncLog.Tests.Transport;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncLog.Tests.Vectors;

/// <summary>The lines of vectors/otlp-requests.jsonl: records through the whole sink to a server, which keeps what it is sent.</summary>
public sealed class RequestVectorTests
{
    private static readonly string[] TestOptions = ["ResourceOnly", "HostApplicationName", "NoApplicationName"];

    public static TheoryData<string> Lines() => [.. VectorFile.Lines("otlp-requests.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public void Requests_are_those_of_their_vector(string line)
    {
        var vector = VectorFile.Parse(line, "records", "opt", "expect");
        var expect = new Expectations(vector.GetProperty("expect"));
        // A request is the same whatever carries it; gRPC puts its prefix before.
        var isGrpc = expect.Has("grpcFrame") || vector.Find("opt")?.TextOf("Protocol", null) == "Grpc";
        if (expect.Has("grpcFrame"))
            Assert.Equal(expect.Take("grpcFrame").GetString(), Convert.ToHexStringLower(Assert.Single(Send(vector, isGrpc: true).Requests).Wire));
        var (requests, records, status) = Send(vector, isGrpc && !expect.Has("grpcFrame"));

        Check(expect, requests, records, status);
        expect.AssertAllChecked();
    }

    private static (IReadOnlyList<StubRequest> Requests, int LongestRecord, SinkStatus Status) Send(JsonElement vector, bool isGrpc)
    {
        using var collector = new StubCollector(isGrpc);
        var given = vector.Find("opt");
        var clock = new VectorClock(timers: new FakeTimeProvider(), runs: true);
        var surroundings = new OtlpSurroundings { Resource = given?.BoolOf("ResourceOnly") == true ? Given : null, Services = services => AddHost(services, given) };
        using var pipeline = new OtlpPipeline(
            collector, new AnswerScript(collector, isGrpc ? StubAnswer.GrpcOk : StubAnswer.Ok), options => Configure(options, given, isGrpc), clock, withStartupLine: false, surroundings);
        foreach (var record in vector.GetProperty("records").EnumerateArray())
            VectorRecord.Log(record, pipeline);
        var flush = Task.Run(() => pipeline.Control.FlushAsync(TimeSpan.FromMinutes(10)));
        Eventually.True(() => flush.IsCompleted, pipeline.Pass);
        return (collector.Requests, pipeline.Sink.LongestRecord, pipeline.Settle());
    }

    private static IReadOnlyList<KeyValuePair<string, object>> Given(AsyncOtlpLoggerOptions options) =>
        [.. options.ResourceAttributes.Select(static pair => KeyValuePair.Create(pair.Key, (object)pair.Value))];

    private static void AddHost(IServiceCollection services, JsonElement? options)
    {
        if (ConfigVectorTests.HostNameOf(options) is { } name)
            services.AddSingleton<IHostEnvironment>(new NamedHost { ApplicationName = name });
    }

    private static void Configure(AsyncOtlpLoggerOptions options, JsonElement? vector, bool isGrpc)
    {
        options.Protocol = isGrpc ? OtlpProtocol.Grpc : OtlpProtocol.HttpProtobuf;
        // Everything that a line logs finds room.
        options.MaxQueueMemory = 64 << 20;
        VectorOption.SetAll(options, vector, TestOptions);
    }

    private static void Check(Expectations expect, IReadOnlyList<StubRequest> requests, int longestRecord, SinkStatus status)
    {
        var messages = requests.Select(static request => request.Message).ToList();
        var scopes = messages.SelectMany(static request => request.ResourceLogs).SelectMany(static logs => logs.ScopeLogs).ToList();
        var records = scopes.SelectMany(static scope => scope.LogRecords).ToList();
        expect.Number("requests", requests.Count);
        if (expect.Has("minRequests"))
            expect.AtLeast("minRequests", requests.Count);
        expect.AtMost("maxRequestBytes", requests.Select(static request => request.Body.Length).DefaultIfEmpty().Max());
        expect.AtMost("maxRecordsPerRequest", requests.Select(static request => request.RecordCount).DefaultIfEmpty().Max());
        expect.AtMost("maxPayloadBytes", longestRecord);
        Assert.NotEmpty(messages);
        if (expect.Has("resourceLogs"))
            Assert.All(messages, request => expect.Number("resourceLogs", request.ResourceLogs.Count));
        if (expect.Has("scopes"))
            CheckScopes(expect.Take("scopes"), scopes);
        if (expect.Has("bodies"))
            Assert.Equal(expect.Texts("bodies"), records.Select(static record => record.Body.StringValue));
        if (expect.Has("body"))
            Assert.Equal(VectorValue.ReadText(expect.Take("body")), Assert.Single(records).Body.StringValue);
        if (expect.Has("attributes"))
            CheckAttributes(expect.Take("attributes"), Assert.Single(records).Attributes);
        Assert.All(messages, request => CheckResource(expect, request));
        expect.Number("exported", records.Count);
        Assert.Equal(records.Count, status.Written);
        expect.Number("dropped", status.Dropped);
        expect.Number("truncated", status.Truncated);
        if (expect.Has("hex"))
            Assert.Equal(expect.Take("hex").GetString(), Convert.ToHexStringLower(Assert.Single(requests).Body));
    }

    private static void CheckScopes(JsonElement scopes, List<ScopeLogs> decoded)
    {
        Assert.Equal(scopes.EnumerateObject().Select(static scope => scope.Name).Order(StringComparer.Ordinal), decoded.Select(static logs => logs.Scope.Name).Distinct().Order(StringComparer.Ordinal));
        foreach (var scope in scopes.EnumerateObject())
        {
            var bodies = decoded.Where(logs => logs.Scope.Name == scope.Name).SelectMany(static logs => logs.LogRecords).Select(static record => record.Body.StringValue);
            Assert.Equal(scope.Value.EnumerateArray().Select(VectorValue.ReadText), bodies);
        }
    }

    // How many there are; or these, each as AnyValue or as the plain value it holds.
    private static void CheckAttributes(JsonElement wanted, IEnumerable<KeyValue> attributes)
    {
        var values = attributes.ToDictionary(static attribute => attribute.Key, static attribute => attribute.Value, StringComparer.Ordinal);
        if (wanted.ValueKind is JsonValueKind.Number or JsonValueKind.String)
        {
            Expectations.AssertNumber("attributes", wanted, values.Count);
            return;
        }

        var pairs = wanted.ValueKind == JsonValueKind.Array
            ? wanted.EnumerateArray().Select(static pair => (pair.GetProperty("key").GetString()!, pair.GetProperty("value")))
            : wanted.EnumerateObject().Select(static pair => (pair.Name, pair.Value));
        foreach (var (key, value) in pairs)
            Assert.Equal((key, ValueOf(value)), (key, values.GetValueOrDefault(key)));
    }

    private static AnyValue ValueOf(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Object when value.TryGetProperty("repeat", out _) => new AnyValue { StringValue = VectorValue.ReadText(value) },
        JsonValueKind.Object => OtlpJson.Value(value),
        JsonValueKind.String => new AnyValue { StringValue = value.GetString() },
        JsonValueKind.Number => value.TryGetInt64(out var number) ? new AnyValue { IntValue = number } : new AnyValue { DoubleValue = value.GetDouble() },
        JsonValueKind.Null => new AnyValue(),
        _ => new AnyValue { BoolValue = value.GetBoolean() },
    };

    private static void CheckResource(Expectations expect, ExportLogsServiceRequest request)
    {
        var attributes = request.ResourceLogs[0].Resource.Attributes.ToDictionary(static pair => pair.Key, static pair => pair.Value, StringComparer.Ordinal);
        foreach (var pair in expect.Pairs("resource"))
            Assert.Equal((pair.Name, ValueOf(pair.Value)), (pair.Name, attributes.GetValueOrDefault(pair.Name)));
        foreach (var pair in expect.Pairs("resourceStartsWith"))
            Assert.StartsWith(pair.Value.GetString()!, attributes[pair.Name].StringValue, StringComparison.Ordinal);
        Assert.Empty(expect.Texts("resourceHas").Except(attributes.Keys, StringComparer.Ordinal));
        Assert.Empty(expect.Texts("resourceHasNot").Intersect(attributes.Keys, StringComparer.Ordinal));
    }
}
