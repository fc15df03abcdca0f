using System.Collections.Concurrent;
using AsyncLog.Tests.Protocol;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Documents;

/// <summary>Takes OTLP requests over HTTP and shows their records as lines.</summary>
internal sealed class Collector : IAsyncDisposable
{
    private readonly WebApplication _app;
    private readonly ConcurrentQueue<string> _records = [];

    private Collector()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        _app = builder.Build();
        _app.MapPost("/v1/logs", async (HttpRequest request) =>
        {
            using var body = new MemoryStream();
            await request.Body.CopyToAsync(body);
            foreach (var line in Lines(ExportLogsServiceRequest.Parser.ParseFrom(body.ToArray())))
                _records.Enqueue(line);
            return Results.Bytes([], "application/x-protobuf");
        });
    }

    public Uri Address => new(_app.Urls.First());

    /// <summary>Severity, service, scope and body, then the attributes in the order of their names.</summary>
    public string[] Records => [.. _records];

    public static async Task<Collector> StartAsync()
    {
        var collector = new Collector();
        await collector._app.StartAsync();
        return collector;
    }

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    private static IEnumerable<string> Lines(ExportLogsServiceRequest request)
        => from resource in request.ResourceLogs
           let service = resource.Resource.Attributes.Single(static pair => pair.Key == "service.name").Value.StringValue
           from scope in resource.ScopeLogs
           from record in scope.LogRecords
           select $"{record.SeverityText} {service} {scope.Scope.Name}: {record.Body.StringValue}"
               + string.Concat(record.Attributes.OrderBy(static pair => pair.Key, StringComparer.Ordinal).Select(static pair => $" | {pair.Key} = {Text(pair.Value)}"));

    private static string Text(AnyValue value) => value.ValueCase == AnyValue.ValueOneofCase.StringValue ? value.StringValue : value.IntValue.ToString(System.Globalization.CultureInfo.InvariantCulture);
}
