using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using AsyncLog.Tests.Support;

namespace AsyncLog.Tests.Page;

public sealed partial class PageDocumentTests
{
    [Fact]
    public async Task The_policy_lets_run_what_the_document_holds_and_nothing_else()
    {
        await using var app = await TestApp.Start(static logging => logging.AddMoody("one", new Mood()));
        using var client = app.Client();
        using var answer = await client.GetAsync("/asynclog", TestContext.Current.CancellationToken);
        var document = await answer.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        var policy = answer.Headers.GetValues("Content-Security-Policy").Single().Split("; ");
        Assert.Equal(
            [
                "default-src 'none'", $"script-src '{Hash(Script().Matches(document).Single())}'", $"style-src '{Hash(Style().Matches(document).Single())}'",
                "img-src data:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
            ],
            policy);
        Assert.Equal("text/html; charset=utf-8", answer.Content.Headers.ContentType!.ToString());
        Assert.Equal("nosniff", answer.Headers.GetValues("X-Content-Type-Options").Single());
        Assert.Equal("no-store", answer.Headers.CacheControl!.ToString());
    }

    [Fact]
    public async Task The_document_loads_nothing_and_makes_no_markup_of_data()
    {
        await using var app = await TestApp.Start(static logging => logging.AddMoody("one", new Mood()));
        using var client = app.Client();
        var document = await client.GetStringAsync("/asynclog", TestContext.Current.CancellationToken);
        Assert.DoesNotMatch(@"\b(src|srcset|action)=|@import|url\(|style=""|\son\w+=|/\*(style|script)\*/", document);
        Assert.NotEmpty(Address().Matches(document));
        Assert.All(Address().Matches(document), static link => Assert.StartsWith("http://www.w3.org/2000/svg", link.Value, StringComparison.Ordinal));
        foreach (var sink in (string[])["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("])
            Assert.DoesNotContain(sink, document, StringComparison.Ordinal);
    }

    private static string Hash(Match element) => "sha256-" + Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(element.Groups[1].Value)));

    [GeneratedRegex("<script>(.*?)</script>", RegexOptions.Singleline)]
    private static partial Regex Script();

    [GeneratedRegex("<style>(.*?)</style>", RegexOptions.Singleline)]
    private static partial Regex Style();

    [GeneratedRegex("https?://[^'\" )]+")]
    private static partial Regex Address();
}
