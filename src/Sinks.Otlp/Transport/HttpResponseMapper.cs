using System.Globalization;
using System.Net;

namespace AsyncLog;

/// <summary>Maps the response to an OTLP/HTTP request.</summary>
internal static class HttpResponseMapper
{
    /// <param name="contentType">The header <c>Content-Type</c>; null: absent.</param>
    /// <param name="retryAfter">The header <c>Retry-After</c>; null: absent.</param>
    /// <param name="now">The time, for a <c>Retry-After</c> with a date.</param>
    public static AttemptResult Map(
        HttpStatusCode status, string? contentType, string? retryAfter, ReadOnlySpan<byte> body, AsyncOtlpLoggerOptions options, DateTimeOffset now)
    {
        int code = (int)status;
        if (code is >= 200 and < 300)
            return AttemptResult.FromResponse(body, options.Headers) with { IsWebPage = IsWebPage(contentType) };
        ExportOutcome outcome = OutcomeOf(status, options.RetryUnauthorized);
        return new AttemptResult(outcome)
        {
            ErrorType = code.ToString(CultureInfo.InvariantCulture),
            Text = TextOf(code, ServerText.OfRefusal(body, contentType, options.Headers), options),
            ServerDelay = outcome == ExportOutcome.Retry ? ServerDelay.FromRetryAfter(retryAfter, now) : null,
            IsPermanent = status is HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden or HttpStatusCode.NotFound,
        };
    }

    private static ExportOutcome OutcomeOf(HttpStatusCode status, bool retryUnauthorized) => status switch
    {
        HttpStatusCode.TooManyRequests or HttpStatusCode.BadGateway or HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout => ExportOutcome.Retry,
        HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden when retryUnauthorized => ExportOutcome.Retry,
        HttpStatusCode.RequestEntityTooLarge => ExportOutcome.TooLarge,
        _ => ExportOutcome.Refused,
    };

    // A collector answers in protobuf. Other content types are no evidence: some receivers send none, or text.
    private static bool IsWebPage(string? contentType) => contentType?.AsSpan().TrimStart().StartsWith("text/html", StringComparison.OrdinalIgnoreCase) == true;

    private static string TextOf(int code, string serverText, AsyncOtlpLoggerOptions options)
    {
        string hint = code switch
        {
            401 or 403 => AttemptResult.CredentialHint,
            404 => " (is the path right? OTLP over HTTP usually ends in /v1/logs)",
            415 => " (does this server accept OTLP as protobuf?)",
            >= 300 and < 400 => " (redirects are not followed)",
            _ => "",
        };
        string text = string.Create(CultureInfo.InvariantCulture, $"{options.Target} answers {code}{hint}");
        return serverText.Length == 0 ? text : $"{text}: {serverText}";
    }
}
