namespace AsyncLog;

/// <summary>Reports at every start the settings that work but should not stay, and what was ignored.</summary>
internal static class OtlpWarnings
{
    /// <summary>The condition that every server certificate is accepted.</summary>
    public const string AnyCertificate = "any_certificate";

    private const string PlainHeaders = "plain_headers";

    // What the names of headers with credentials contain: Authorization, api-key, X-Auth-Token, Cookie, …
    private static readonly string[] Credentials = ["auth", "key", "token", "secret", "password", "credential", "cookie", "signature"];

    /// <summary>Whether every server certificate is accepted.</summary>
    public static bool AcceptsAnyone(AsyncOtlpOptions options) => options.Tls.DangerousAcceptAnyServerCertificate && OtlpEndpoint.IsTls(options);

    public static void Report(AsyncOtlpOptions options, SinkContext context)
    {
        foreach (var notice in options.Variables.Notices)
            context.Report(notice.Severity, notice.Condition, notice.Message);
        if (AcceptsAnyone(options))
        {
            context.Report(
                SelfReportLevel.Warning, AnyCertificate,
                "any server certificate is accepted (DangerousAcceptAnyServerCertificate): whoever answers can read and swallow the records.");
        }

        if (options.Endpoint is { IsLoopback: false } endpoint && endpoint.Scheme == Uri.UriSchemeHttp && options.Headers.Keys.FirstOrDefault(IsSecret) is { } name)
            context.Report(SelfReportLevel.Warning, PlainHeaders, $"the header {name} is sent to {endpoint.Host} unencrypted: everybody on the way can read it. Use https://.");
    }

    private static bool IsSecret(string header) => Array.Exists(Credentials, part => header.Contains(part, StringComparison.OrdinalIgnoreCase));
}
