using AsyncLog.Tests.Protocol;
namespace AsyncLog.Tests.Transport;

/// <summary>What the stub saw of a request; the body is without gRPC's prefix and not compressed any more.</summary>
internal sealed record StubRequest(string Method, string Path, string Protocol, IReadOnlyDictionary<string, string> Headers, byte[] Body, byte[] Wire)
{
    public int BytesSent => Wire.Length;

    public ExportLogsServiceRequest Message => ExportLogsServiceRequest.Parser.ParseFrom(Body);

    public IEnumerable<Protocol.LogRecord> Records => Message.ResourceLogs.SelectMany(static resource => resource.ScopeLogs).SelectMany(static scope => scope.LogRecords);

    public int RecordCount => Records.Count();

    public IEnumerable<string> Bodies => Records.Select(static record => record.Body.StringValue);
}
