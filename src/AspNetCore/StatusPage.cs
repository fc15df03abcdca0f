using System.Security.Cryptography;
using System.Text;

namespace AsyncLog;

/// <summary>The page: one document with its script and its style inside.</summary>
internal static class StatusPage
{
    public static byte[] Document { get; } = Load();

    /// <summary>The content security policy that allows the script and the style of the document, nothing else.</summary>
    public static string Policy { get; } = PolicyOf(Encoding.UTF8.GetString(Document));

    private static string PolicyOf(string document)
        => $"default-src 'none'; script-src {HashOf(document, "script")}; style-src {HashOf(document, "style")}; img-src data:; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    // Content that a browser hashes: all between the tags.
    private static string HashOf(string document, string element)
    {
        var begin = document.IndexOf($"<{element}>", StringComparison.Ordinal) + element.Length + 2;
        var end = document.IndexOf($"</{element}>", begin, StringComparison.Ordinal);
        return $"'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(document[begin..end])))}'";
    }

    // The parts of the script share one scope, so their order matters to nothing but constants.
    private static byte[] Load()
        => Encoding.UTF8.GetBytes(Part("page.html")
            .Replace("/*style*/", Part("page.css"), StringComparison.Ordinal)
            .Replace("/*script*/", string.Concat(Part("format.js"), Part("chart.js"), Part("page.js")), StringComparison.Ordinal)
            .Replace("{/*words*/}", ReasonWords.Script, StringComparison.Ordinal));

    private static string Part(string name)
    {
        using var reader = new StreamReader(typeof(StatusPage).Assembly.GetManifestResourceStream(name)!, Encoding.UTF8);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
