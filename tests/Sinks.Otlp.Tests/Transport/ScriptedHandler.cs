namespace AsyncLog.Tests.Transport;

/// <summary>Stands before the real handler: tells the stub what to answer, and sends what must not arrive to where nobody is.</summary>
internal sealed class ScriptedHandler(AnswerScript script, HttpMessageHandler real) : DelegatingHandler(real)
{
    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        StubAnswer answer = script.Begin();
        try
        {
            if (answer.Failure == StubAnswer.Refused)
                request.RequestUri = new UriBuilder(request.RequestUri!) { Port = 1 }.Uri;
            else if (answer.Failure == StubAnswer.Dns)
                request.RequestUri = new UriBuilder(request.RequestUri!) { Host = "nobody.invalid" }.Uri;
            else if (answer.Failure == StubAnswer.Unexpected)
                throw new InvalidTimeZoneException("nobody expects it");
            HttpResponseMessage response = await base.SendAsync(request, cancellationToken);
            response.Content = new WatchedContent(response.Content, script.End);
            script.HasStatus = true;
            return response;
        }
        catch
        {
            script.End();
            throw;
        }
    }
}
