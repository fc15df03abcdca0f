namespace AsyncLog.Tests.Transport;

/// <summary>Stands before the real handler: tells the stub what to answer, and sends what must not arrive to where nobody is.</summary>
internal sealed class ScriptedHandler(AnswerScript script, HttpMessageHandler real) : DelegatingHandler(real)
{
    protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        StubAnswer answer = script.Begin();
        Redirect(request, answer);
        return Watch(base.Send(request, cancellationToken));
    }

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        StubAnswer answer = script.Begin();
        Redirect(request, answer);
        return Watch(await base.SendAsync(request, cancellationToken));
    }

    private static void Redirect(HttpRequestMessage request, StubAnswer answer)
    {
        if (answer.Failure == StubAnswer.Refused)
            request.RequestUri = new UriBuilder(request.RequestUri!) { Port = 1 }.Uri;
        else if (answer.Failure == StubAnswer.Dns)
            request.RequestUri = new UriBuilder(request.RequestUri!) { Host = "nobody.invalid" }.Uri;
        else if (answer.Failure == StubAnswer.Unexpected)
            throw new InvalidTimeZoneException("nobody expects it");
    }

    private HttpResponseMessage Watch(HttpResponseMessage response)
    {
        response.Content = new WatchedContent(response.Content, script.NoteRead);
        script.HasStatus = true;
        return response;
    }
}
