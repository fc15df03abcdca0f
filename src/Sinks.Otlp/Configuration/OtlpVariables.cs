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

    /// <summary>The host's name of the application.</summary>
    public string? HostApplicationName { get; set; }

    /// <summary>Attributes of <c>OTEL_RESOURCE_ATTRIBUTES</c>.</summary>
    public IReadOnlyDictionary<string, string> ResourceAttributes { get; set; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>What an operator is told when the instance starts.</summary>
    public List<OtlpNotice> Notices { get; } = [];

    /// <summary>Adds a warning, once per condition.</summary>
    public void Warn(string condition, string message)
    {
        if (Notices.TrueForAll(notice => notice.Condition != condition))
            Notices.Add(new OtlpNotice(SelfReportLevel.Warning, condition, message));
    }
}
