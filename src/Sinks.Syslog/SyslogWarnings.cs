namespace AsyncLog;

/// <summary>What an operator is told at every start about settings that work but should not stay.</summary>
internal static class SyslogWarnings
{
    public static void Report(AsyncSyslogOptions options, SinkContext context)
    {
        if (SyslogLayout.FormOf(options) == SyslogForm.Rfc5424 && options.EnterpriseNumber == AsyncSyslogOptions.DocumentationNumber)
        {
            context.Report(
                SelfReportLevel.Warning, "enterprise_number",
                $"EnterpriseNumber is {AsyncSyslogOptions.DocumentationNumber}, the number for documentation: set your own private enterprise number.");
        }

        if (options.Tls.DangerousAcceptAnyServerCertificate && SyslogEndpoint.SchemeOf(options) == SyslogEndpoint.Tls)
        {
            context.Report(
                SelfReportLevel.Warning, "any_certificate",
                "any server certificate is accepted (DangerousAcceptAnyServerCertificate): whoever answers can read and swallow the records.");
        }
    }
}
