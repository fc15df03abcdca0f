namespace AsyncLog;

/// <summary>What an operator is told at every start about settings that work but should not stay.</summary>
internal static class SyslogWarnings
{
    /// <summary>The condition, and reason of the state, while whoever answers is trusted.</summary>
    public const string AnyCertificate = "any_certificate";

    public static void Report(AsyncSyslogOptions options, SinkContext context)
    {
        if (SyslogLayout.FormOf(options) == SyslogForm.Rfc5424 && options.EnterpriseNumber == AsyncSyslogOptions.DocumentationNumber)
        {
            context.Report(
                SelfReportLevel.Warning, "enterprise_number",
                $"EnterpriseNumber is {AsyncSyslogOptions.DocumentationNumber}, the number for documentation: set your own private enterprise number.");
        }

        if (AcceptsAnyone(options))
        {
            context.Report(
                SelfReportLevel.Warning, AnyCertificate,
                "any server certificate is accepted (DangerousAcceptAnyServerCertificate): whoever answers can read and swallow the records.");
        }
    }

    /// <summary>Whether any server certificate is accepted.</summary>
    public static bool AcceptsAnyone(AsyncSyslogOptions options) =>
        options.Tls.DangerousAcceptAnyServerCertificate && SyslogEndpoint.SchemeOf(options) == SyslogEndpoint.Tls;
}
