using System.Globalization;
using System.Net;

namespace AsyncLog;

/// <summary>Judges the answer to an OTLP/HTTP request.</summary>
internal static class HttpAnswer
{
    /// <param name="status">The status.</param>
    /// <param name="contentType">Of the body.</param>
    /// <param name="retryAfter">The header, unparsed.</param>
    /// <param name="body">As much of it as was read.</param>
    /// <param name="settings">The way it came.</param>
    /// <param name="now">The wall clock.</param>
    public static ExportAnswer Judge(
        HttpStatusCode status, string? contentType, string? retryAfter, ReadOnlySpan<byte> body, OtlpTransportSettings settings, DateTimeOffset now)
    {
        int code = (int)status;
        if (code is >= 200 and < 300)
            return PartialSuccess.Read(body, settings.Headers);
        ExportOutcome outcome = OutcomeOf(status, settings.RetriesUnauthorized);
        return new ExportAnswer(outcome)
        {
            ErrorType = code.ToString(CultureInfo.InvariantCulture),
            Text = TextOf(code, AnswerText.OfRefusal(body, contentType, settings.Headers), settings),
            ServerDelay = outcome == ExportOutcome.Retry ? ServerDelay.FromRetryAfter(retryAfter, now) : null,
            IsPermanent = status is HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden or HttpStatusCode.NotFound,
        };
    }

    private static ExportOutcome OutcomeOf(HttpStatusCode status, bool retriesUnauthorized) => status switch
    {
        HttpStatusCode.TooManyRequests or HttpStatusCode.BadGateway or HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout => ExportOutcome.Retry,
        HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden when retriesUnauthorized => ExportOutcome.Retry,
        HttpStatusCode.RequestEntityTooLarge => ExportOutcome.TooLarge,
        _ => ExportOutcome.Refused,
    };

    private static string TextOf(int code, string said, OtlpTransportSettings settings)
    {
        string hint = code switch
        {
            404 => " (is the path right? OTLP over HTTP usually ends in /v1/logs)",
            415 => " (does this server take OTLP as protobuf?)",
            >= 300 and < 400 => " (redirects are not followed)",
            _ => "",
        };
        string text = string.Create(CultureInfo.InvariantCulture, $"{settings.Target} answers {code}{hint}");
        return said.Length == 0 ? text : $"{text}: {said}";
    }
}
