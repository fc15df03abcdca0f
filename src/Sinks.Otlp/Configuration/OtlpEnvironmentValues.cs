using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The values of OpenTelemetry's environment variables that have no option of their own, and notices for the operator.</summary>
internal sealed class OtlpEnvironmentValues
{
    /// <summary><c>OTEL_EXPORTER_OTLP_LOGS_ENDPOINT</c>, used without a path added.</summary>
    public string? LogsEndpoint { get; set; }

    /// <summary><c>OTEL_EXPORTER_OTLP_ENDPOINT</c>, a base address.</summary>
    public string? Endpoint { get; set; }

    /// <summary>True if an endpoint without a scheme means <c>http</c>.</summary>
    public bool IsInsecure { get; set; }

    /// <summary><c>OTEL_SERVICE_NAME</c>.</summary>
    public string? ServiceName { get; set; }

    /// <summary>The names of the variables with headers or a client certificate that are set; null if there are none.</summary>
    public string? Credentials { get; set; }

    public string? HostApplicationName { get; set; }

    /// <summary>The attributes of <c>OTEL_RESOURCE_ATTRIBUTES</c>.</summary>
    public IReadOnlyDictionary<string, string> ResourceAttributes { get; set; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Reported when the instance starts. The condition is the name of a variable or option.</summary>
    public List<(LogLevel Severity, string Condition, string Message)> Notices { get; } = [];

    /// <summary>Adds a warning, once per condition.</summary>
    public void Warn(string condition, string message)
    {
        if (Notices.TrueForAll(notice => notice.Condition != condition))
            Notices.Add((LogLevel.Warning, condition, message));
    }
}
