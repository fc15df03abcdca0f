using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Net.Http.Headers;

namespace AsyncLog;

/// <summary>The page: one document without a part of its own elsewhere. Its script and its style run because the policy knows their hashes, nothing else does.</summary>
internal static class StatusPage
{
    private static readonly byte[] Document = Load();

    public static string Policy { get; } = PolicyOf(Encoding.UTF8.GetString(Document));

    public static Task Answer(HttpContext context)
    {
        context.Response.Headers[HeaderNames.ContentSecurityPolicy] = Policy;
        context.Response.Headers["Referrer-Policy"] = "no-referrer";
        return DashboardEndpoints.Send(context, "text/html; charset=utf-8", Document);
    }

    private static string PolicyOf(string document)
        => $"default-src 'none'; script-src {HashOf(document, "script")}; style-src {HashOf(document, "style")}; img-src data:; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    // What a browser hashes: everything between the tags.
    private static string HashOf(string document, string element)
    {
        var begin = document.IndexOf($"<{element}>", StringComparison.Ordinal) + element.Length + 2;
        var end = document.IndexOf($"</{element}>", begin, StringComparison.Ordinal);
        return $"'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(document[begin..end])))}'";
    }

    private static byte[] Load()
        => Encoding.UTF8.GetBytes(Part("page.html").Replace("/*style*/", Part("page.css"), StringComparison.Ordinal).Replace("/*script*/", Part("page.js"), StringComparison.Ordinal));

    private static string Part(string name)
    {
        using var reader = new StreamReader(typeof(StatusPage).Assembly.GetManifestResourceStream(name)!, Encoding.UTF8);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
