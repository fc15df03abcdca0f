using Microsoft.Extensions.DependencyInjection;

namespace AsyncLog;

/// <summary>What an operator is told at every start about settings that work but should not stay, or were ignored.</summary>
internal static class OtlpWarnings
{
    /// <summary>The condition that nobody's certificate is refused.</summary>
    public const string AnyCertificate = "any_certificate";

    /// <summary>Whether nobody's certificate is refused.</summary>
    public static bool AcceptsAnyone(AsyncOtlpOptions options) => options.Tls.DangerousAcceptAnyServerCertificate && OtlpEndpoint.IsTls(options);

    public static void Report(AsyncOtlpOptions options, SinkContext context, IServiceCollection? services)
    {
        foreach (var notice in options.Variables.Notices)
            context.Report(notice.Severity, notice.Condition, notice.Message);
        if (services is not null && OtherExporter.SharesCollector(options) && OtherExporter.IsIn(services))
        {
            context.Events.DuplicateExportSuspected(options.Endpoint!.GetComponents(UriComponents.SchemeAndServer, UriFormat.UriEscaped));
            context.Report(
                SelfReportLevel.Warning, "duplicate_export",
                $"OpenTelemetry's own log exporter seems to send to {options.Endpoint!.Host} too: then every record arrives twice. Keep one of them.");
        }

        if (AcceptsAnyone(options))
        {
            context.Report(
                SelfReportLevel.Warning, AnyCertificate,
                "any server certificate is accepted (DangerousAcceptAnyServerCertificate): whoever answers can read and swallow the records.");
        }
    }
}
