using AsyncLog.Tests.Support;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Requests;

/// <summary>Wrong options stop the start with a message that names key and value; doubled records are announced.</summary>
public sealed class RequestOptionsTests
{
    private const string Expected = "expected RequestMethod, RequestPath, Route, StatusCode, Elapsed, ResponseLength, QueryString, Scheme, Host, Protocol, RemoteIpAddress";

    public static TheoryData<string, string, string> Mistakes() => new()
    {
        { "MessageTemplate", "{Path} took {Elapsed}", "AsyncLog:Requests:MessageTemplate '{Path} took {Elapsed}' is not valid: {Path} is not a value of a request; " + Expected },
        { "MessageTemplate", "{statuscode}", "AsyncLog:Requests:MessageTemplate '{statuscode}' is not valid: {statuscode} is not a value of a request; " + Expected },
        { "ExcludedPaths:health", "true", "AsyncLog:Requests:ExcludedPaths:health 'true' is not valid: expected a path that begins with '/'" },
        { "ExcludedPaths:/", "true", "AsyncLog:Requests:ExcludedPaths:/ 'true' is not valid: it leaves out every request, because all paths are below it. To leave out the path '/' alone, set Filter in code" },
        { "ExcludedPaths://", "true", "AsyncLog:Requests:ExcludedPaths:// 'true' is not valid: it leaves out every request, because all paths are below it. To leave out the path '/' alone, set Filter in code" },
        { "ExcludedPaths:/health", "yes", "AsyncLog:Requests:ExcludedPaths:/health 'yes' is not valid: expected true or false" },
        { "ExcludedPaths", "/health", "AsyncLog:Requests:ExcludedPaths '/health' is not valid: expected a map of paths, such as { \"/health\": true }" },
        { "ExcludedPaths:0", "/health", "AsyncLog:Requests:ExcludedPaths is not valid: expected a map of paths, such as { \"/health\": true }, not a list" },
        { "ExcludePaths:/health", "true", "AsyncLog:Requests:ExcludePaths is not a known option; did you mean 'ExcludedPaths'?" },
        { "Level", "Warning", "AsyncLog:Requests:Level is not a known option" },
    };

    [Theory]
    [MemberData(nameof(Mistakes))]
    public async Task A_mistake_in_the_configuration_stops_the_start(string key, string value, string message)
    {
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(
            () => RequestApp.Start(static app => app.UseAsyncLogRequestLogging(), settings: new() { ["AsyncLog:Requests:" + key] = value }));
        Assert.Equal(message, exception.Message);
    }

    [Fact]
    public async Task All_mistakes_of_the_configuration_are_in_one_message()
    {
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => RequestApp.Start(
            static app => app.UseAsyncLogRequestLogging(),
            settings: new() { ["AsyncLog:Requests:ExcludePaths:/health"] = "true", ["AsyncLog:Requests:ExcludedPaths:live"] = "true", ["AsyncLog:Requests:MessageTemplate"] = "{Path}" }));
        Assert.Equal(
            [
                "AsyncLog:Requests:ExcludePaths is not a known option; did you mean 'ExcludedPaths'?",
                "AsyncLog:Requests:ExcludedPaths:live 'true' is not valid: expected a path that begins with '/'",
                "AsyncLog:Requests:MessageTemplate '{Path}' is not valid: {Path} is not a value of a request; " + Expected,
            ],
            exception.Failures);
    }

    [Fact]
    public async Task A_mistake_in_code_stops_the_start()
    {
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(
            () => RequestApp.Start(static app => app.UseAsyncLogRequestLogging(static options => options.MessageTemplate = "{User}")));
        Assert.Equal("UseAsyncLogRequestLogging(): MessageTemplate '{User}' is not valid: {User} is not a value of a request; " + Expected, exception.Message);
    }

    [Theory]
    [InlineData("{StatusCode")]
    [InlineData("{}")]
    [InlineData("}")]
    [InlineData("{Elapsed,x}")]
    public async Task A_template_that_is_no_template_stops_the_start(string template)
    {
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(
            () => RequestApp.Start(app => app.UseAsyncLogRequestLogging(options => options.MessageTemplate = template)));
        Assert.Equal(
            $"UseAsyncLogRequestLogging(): MessageTemplate '{template}' is not valid: "
            + "expected placeholders such as {StatusCode}, {StatusCode,5} or {Elapsed:F3}; write '{{' and '}}' for braces",
            exception.Message);
    }

    [Theory]
    [InlineData("Information", true)]
    [InlineData("Warning", false)]
    public async Task Records_of_the_framework_for_each_request_are_announced_at_start(string level, bool isAnnounced)
    {
        await using var app = await RequestApp.Start(
            static app => app.UseAsyncLogRequestLogging(), settings: new() { ["Logging:LogLevel:Default"] = "Information", ["Logging:LogLevel:Microsoft.AspNetCore"] = level });
        string[] expected = isAnnounced
            ? ["each request is logged twice: Logging:LogLevel:Microsoft.AspNetCore.Hosting.Diagnostics: Warning turns the records of the framework off"]
            : [];
        Assert.Equal(
            expected,
            app.Records.Where(static record => record is { Category: "AsyncLog", Id.Name: "RequestsLoggedTwice" }).Select(static record => record.Message));
    }
}
