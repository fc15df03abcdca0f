using System.Buffers.Binary;
using System.Text.Json;
using AsyncLog.Tests.Protocol;

namespace AsyncLog.Tests;

/// <summary>The samples of vectors/otlp-requests.jsonl: records through the pipeline, then into requests as the sink makes them.</summary>
public sealed class RequestVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("otlp-requests.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task Requests_are_those_of_their_vector(string line)
    {
        var vector = VectorFile.Parse(line, "id", "req", "what", "records", "opt", "expect");
        using var harness = new OtlpHarness(options => Configure(options, vector.Find("opt")));
        foreach (var record in vector.GetProperty("records").EnumerateArray())
            VectorRecord.Log(record, harness);
        var records = await harness.TakeAsync();

        var requests = Requests(records, harness.Options, vector.Find("opt")?.BoolOf("ResourceOnly") == true);

        Check(vector.GetProperty("expect"), requests, records, harness.Status);
    }

    private static void Configure(AsyncOtlpOptions options, JsonElement? vector)
    {
        if (vector is not { } given)
            return;
        VectorFile.RequireKnown(given, "ResourceAttributes", "ResourceOnly", "MaxRequestBytes", "MaxExportBatchSize", "ServiceName");
        options.MaxRequestBytes = given.IntOf("MaxRequestBytes", options.MaxRequestBytes);
        options.MaxExportBatchSize = given.IntOf("MaxExportBatchSize", options.MaxExportBatchSize);
        options.ServiceName = given.TextOf("ServiceName", null);
        if (given.Find("ResourceAttributes") is { } attributes)
        {
            foreach (var attribute in attributes.EnumerateObject())
                options.ResourceAttributes[attribute.Name] = attribute.Value.GetString()!;
        }
    }

    private static List<byte[]> Requests(LogRecord[] records, AsyncOtlpOptions options, bool isResourceOnly)
    {
        var attributes = isResourceOnly
            ? [.. options.ResourceAttributes.Select(static pair => KeyValuePair.Create(pair.Key, (object)pair.Value))]
            : OtlpResource.AttributesOf(options);
        var request = new OtlpRequest(OtlpResource.Encode(attributes));
        List<byte[]> requests = [];
        foreach (var segment in Segments(records))
        {
            var batch = LogBatch.Create(segment);
            while (request.Fill(batch, options.MaxExportBatchSize, options.MaxRequestBytes) > 0)
            {
                requests.Add(RequestTests.BytesOf(request));
                batch.Advance(request.BatchBytes);
            }
        }

        return requests;
    }

    // A worker hands over segments; the sink asks for half a mebibyte.
    private static IEnumerable<LogRecord[]> Segments(LogRecord[] records)
    {
        const int SegmentBytes = 512 << 10;
        List<LogRecord> segment = [];
        foreach (var record in records)
        {
            if (segment.Sum(static earlier => earlier.Bytes.Length) + record.Bytes.Length > SegmentBytes)
            {
                yield return [.. segment];
                segment.Clear();
            }

            segment.Add(record);
        }

        yield return [.. segment];
    }

    private static void Check(JsonElement expect, List<byte[]> bytes, LogRecord[] records, SinkStatus status)
    {
        var requests = bytes.Select(static request => ExportLogsServiceRequest.Parser.ParseFrom(request)).ToList();
        var decoded = requests.SelectMany(static request => request.ResourceLogs).SelectMany(static logs => logs.ScopeLogs).ToList();
        foreach (var (name, value) in expect.EnumerateObject().Select(static field => (field.Name, field.Value)))
        {
            switch (name)
            {
                case "requests": Assert.Equal(value.GetInt32(), requests.Count); break;
                case "minRequests": Assert.InRange(requests.Count, value.GetInt32(), int.MaxValue); break;
                case "maxRequestBytes": Assert.All(bytes, request => Assert.InRange(request.Length, 1, value.GetInt32())); break;
                case "maxRecordsPerRequest": Assert.InRange(requests.Max(static request => request.ResourceLogs[0].ScopeLogs.Sum(static scope => scope.LogRecords.Count)), 1, value.GetInt32()); break;
                case "maxPayloadBytes": Assert.All(records, record => Assert.InRange(record.Bytes.Length, 1, value.GetInt32())); break;
                case "resourceLogs": Assert.All(requests, request => Assert.Equal(value.GetInt32(), request.ResourceLogs.Count)); break;
                case "scopes": CheckScopes(value, decoded); break;
                case "body": Assert.Equal(value.GetString(), Assert.Single(Assert.Single(decoded).LogRecords).Body.StringValue); break;
                case "resource" or "resourceHas" or "resourceHasNot": CheckResource(name, value, requests); break;
                case "exported": Assert.Equal(value.GetInt32(), decoded.Sum(static scope => scope.LogRecords.Count)); break;
                case "dropped": Assert.Equal(value.GetInt32(), status.Dropped); break;
                case "truncated": Assert.Equal(value.GetInt32(), status.Truncated); break;
                case "hex": Assert.Equal(value.GetString(), Convert.ToHexStringLower(Assert.Single(bytes))); break;
                case "grpcFrame": Assert.Equal(value.GetString(), Convert.ToHexStringLower(Frame(Assert.Single(bytes)))); break;
                default: throw new NotSupportedException(name);
            }
        }
    }

    private static void CheckScopes(JsonElement scopes, List<ScopeLogs> decoded)
    {
        Assert.Equal(scopes.EnumerateObject().Count(), decoded.Count);
        foreach (var scope in scopes.EnumerateObject())
        {
            var logs = Assert.Single(decoded, logs => logs.Scope.Name == scope.Name);
            Assert.Equal(scope.Value.EnumerateArray().Select(static body => body.GetString()), logs.LogRecords.Select(static record => record.Body.StringValue));
        }
    }

    private static void CheckResource(string name, JsonElement value, List<ExportLogsServiceRequest> requests)
    {
        var attributes = requests[0].ResourceLogs[0].Resource.Attributes.ToDictionary(static pair => pair.Key, static pair => pair.Value);
        if (name == "resource")
            Assert.All(value.EnumerateObject(), pair => Assert.Equal(pair.Value.GetString(), attributes[pair.Name].StringValue));
        else
            Assert.All(value.EnumerateArray(), key => Assert.Equal(name == "resourceHas", attributes.ContainsKey(key.GetString()!)));
    }

    private static byte[] Frame(byte[] message)
    {
        var frame = new byte[5 + message.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(1), message.Length);
        message.CopyTo(frame, 5);
        return frame;
    }
}
