using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Configuration;

namespace AsyncLog.Documents;

/// <summary>What one side of a page on moving writes: its blocks are put into an application of its own, and the calls of the page are made.</summary>
internal sealed partial class Moved
{
    private readonly Dictionary<string, string[]> _files;

    private Moved(Dictionary<string, string[]> files) => _files = files;

    /// <summary>The lines of every file, by its name; times and dates are replaced by words.</summary>
    public IReadOnlyDictionary<string, string[]> Files => _files;

    /// <summary>Runs the blocks below a heading: JSON is the application's settings, XML the file that the code names, C# sets the application up.</summary>
    /// <param name="page">The page.</param>
    /// <param name="heading">The heading.</param>
    /// <param name="calls">The heading of the calls.</param>
    public static async Task<Moved> RunAsync(Document page, string heading, string calls = "The same calls")
    {
        using var folder = new TempFolder();
        var builder = WebApplication.CreateBuilder(new WebApplicationOptions { ApplicationName = "Shop", ContentRootPath = folder.Path, EnvironmentName = "Production" });
        builder.Configuration.Sources.Clear();
        foreach (var block in page.Below(heading))
            Use(block, builder, folder);
        await using (var app = builder.Build())
            new Code(Assert.Single(page.Below(calls)).Text).Run(app, "Shop.Cart");
        return new Moved(Directory.EnumerateFiles(folder.File("logs")).ToDictionary(
            static path => Day().Replace(Path.GetFileName(path), "<date>"), static path => File.ReadAllLines(path).Select(Normalized).ToArray(), StringComparer.Ordinal));
    }

    /// <summary>A line with its time, offset and ids replaced by words.</summary>
    public static string Normalized(string line) => Ids().Replace(Time().Replace(line, "<time>"), "<id>");

    private static void Use(Block block, WebApplicationBuilder builder, TempFolder folder)
    {
        var text = block.Text.Replace("\"logs/", $"\"{folder.Path}/logs/", StringComparison.Ordinal);
        switch (block.Language)
        {
            case "json" or "jsonc":
                builder.Configuration.AddInMemoryCollection(SettingsText.Read(text));
                break;
            case "xml":
                File.WriteAllText(folder.File("log.config"), text);
                break;
            case "csharp":
                new Code(Config().Replace(text, $"\"{folder.File("log.config")}\"")).Run(builder);
                break;
            default:
                Assert.Fail($"{block}: {block.Language}");
                break;
        }
    }

    [GeneratedRegex("[0-9]{8}", RegexOptions.None, 1_000)]
    private static partial Regex Day();

    [GeneratedRegex(@"([0-9]{4}-[0-9]{2}-[0-9]{2}[ T])?[0-9]{2}:[0-9]{2}:[0-9]{2}([.,][0-9]+)?( ?[+-][0-9]{2}:[0-9]{2}|Z)?", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Time();

    [GeneratedRegex(@"\b([0-9a-f]{32}|[0-9a-f]{16})\b", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Ids();

    [GeneratedRegex(@"""[a-z0-9]+\.config""", RegexOptions.None, 1_000)]
    private static partial Regex Config();
}
