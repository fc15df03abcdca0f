namespace AsyncLog.Tests.Differential;

/// <summary>A record as a receiver got it.</summary>
/// <param name="Service">The resource's <c>service.name</c>: whose it is.</param>
/// <param name="Scope">The name of the instrumentation scope.</param>
/// <param name="Record">The rest.</param>
internal sealed record DeliveredRecord(string Service, string Scope, Protocol.LogRecord Record)
{
    public static IEnumerable<DeliveredRecord> Of(Protocol.ExportLogsServiceRequest request) =>
        from resource in request.ResourceLogs
        let service = resource.Resource.Attributes.Single(static pair => pair.Key == "service.name").Value.StringValue
        from scope in resource.ScopeLogs
        from record in scope.LogRecords
        select new DeliveredRecord(service, scope.Scope.Name, record);
}
