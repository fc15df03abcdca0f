using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Looks for OpenTelemetry's own log exporter in the same application: with both, one collector gets every record twice.</summary>
internal static class OtherExporter
{
    // By name: the package of the exporter is not ours.
    private const string ProviderType = "OpenTelemetry.Logs.OpenTelemetryLoggerProvider";
    private const string DefaultAddress = "http://localhost:4317";
    private const int HttpPort = 4318;
    private const int GrpcPort = 4317;

    /// <summary>Whether OpenTelemetry's logger provider is registered in an application that has its OTLP exporter; what it exports to nobody can see.</summary>
    public static bool IsIn(IServiceCollection services) => services.Any(IsProvider) && IsExporterThere();

    /// <summary>Whether it sends, as far as variables and defaults tell, to where we send.</summary>
    /// <param name="options">Resolved options.</param>
    public static bool SharesCollector(AsyncOtlpOptions options)
    {
        string address = options.Variables.LogsEndpoint ?? options.Variables.Endpoint ?? DefaultAddress;
        return Uri.TryCreate(address.Contains("://", StringComparison.Ordinal) ? address : "http://" + address, UriKind.Absolute, out Uri? other)
            && string.Equals(other.IdnHost, options.Endpoint!.IdnHost, StringComparison.OrdinalIgnoreCase)
            && (other.Port == options.Endpoint.Port || (IsCustomary(other.Port) && IsCustomary(options.Endpoint.Port)));
    }

    // Both ports of one collector.
    private static bool IsCustomary(int port) => port is HttpPort or GrpcPort;

    // A factory tells by its own type what it makes.
    private static bool IsProvider(ServiceDescriptor service) => service is { ServiceType.FullName: var name, IsKeyedService: false }
        && name == typeof(ILoggerProvider).FullName
        && (service.ImplementationType ?? service.ImplementationInstance?.GetType() ?? service.ImplementationFactory?.GetType().GenericTypeArguments[^1])?.FullName == ProviderType;

    private static bool IsExporterThere() =>
        Type.GetType("OpenTelemetry.Exporter.OtlpExporterOptions, OpenTelemetry.Exporter.OpenTelemetryProtocol", throwOnError: false) is not null;
}
