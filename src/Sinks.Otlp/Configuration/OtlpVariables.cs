namespace AsyncLog;

/// <summary>What the environment variables of the OpenTelemetry specification said, besides what stands in options of its own.</summary>
internal sealed class OtlpVariables
{
    /// <summary><c>OTEL_EXPORTER_OTLP_LOGS_ENDPOINT</c>, used as it is.</summary>
    public string? LogsEndpoint { get; set; }

    /// <summary><c>OTEL_EXPORTER_OTLP_ENDPOINT</c>, a base.</summary>
    public string? Endpoint { get; set; }

    /// <summary>Whether an endpoint without scheme means <c>http</c>.</summary>
    public bool IsInsecure { get; set; }

    /// <summary><c>OTEL_SERVICE_NAME</c>.</summary>
    public string? ServiceName { get; set; }

    /// <summary>Attributes of <c>OTEL_RESOURCE_ATTRIBUTES</c>.</summary>
    public Dictionary<string, string> ResourceAttributes { get; } = new(StringComparer.Ordinal);

    /// <summary>What an operator is told when the instance starts.</summary>
    public List<OtlpNotice> Notices { get; } = [];

    public void Warn(string condition, string message) => Notices.Add(new OtlpNotice(SelfReportLevel.Warning, condition, message));
}
