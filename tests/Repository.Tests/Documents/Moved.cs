using System.Diagnostics;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Configuration;

namespace AsyncLog.Tests.Documents;

/// <summary>What one side of a page on moving writes: its blocks are put into an application of its own, and the calls of the page are made.</summary>
internal static partial class Moved
{
    /// <summary>Runs the blocks below a heading in an application of this process.</summary>
    /// <param name="page">The page.</param>
    /// <param name="heading">The heading of the blocks: JSON is the application's settings, XML the file that the code names, C# sets the application up.</param>
    /// <param name="calls">The heading of the calls.</param>
    /// <param name="collector">What stands for <c>http://collector:4318</c>.</param>
    /// <returns>The lines of every file in <c>logs</c> by its name; digits of times and dates are 0.</returns>
    public static async Task<IReadOnlyDictionary<string, string[]>> FilesAsync(Document page, string heading, string calls, Uri? collector = null)
    {
        using var folder = new TempFolder();
        var logs = Directory.CreateDirectory(folder.File("logs"));
        var builder = WebApplication.CreateBuilder(new WebApplicationOptions { ApplicationName = "Shop", ContentRootPath = folder.Path, EnvironmentName = "Production" });
        builder.Configuration.Sources.Clear();
        foreach (var block in page.Below(heading))
            Use(block, builder, folder, collector);
        await using (var app = builder.Build())
            new Code(Assert.Single(page.Below(calls)).Text).Run(app, "Shop.Cart");
        return logs.EnumerateFiles().ToDictionary(
            static file => Day().Replace(file.Name, "00000000"), static file => File.ReadAllLines(file.FullName).Select(WithoutTime).ToArray(), StringComparer.Ordinal);
    }

    /// <summary>Runs the blocks below a heading, and the calls, in a process.</summary>
    /// <returns>The lines of its standard output; digits of times are 0.</returns>
    public static string[] Output(Document page, string heading, string calls)
    {
        using var folder = new TempFolder();
        var blocks = page.Below(heading).ToLookup(static block => block.Language, static block => block.Text, StringComparer.Ordinal);
        File.WriteAllText(folder.File("appsettings.json"), Assert.Single(blocks["json"]));
        // Beside this program, whose libraries it uses.
        var library = Path.Combine(AppContext.BaseDirectory, $"{Path.GetFileName(folder.Path)}.dll");
        try
        {
            new Code(
                $"""
                var builder = WebApplication.CreateBuilder(new WebApplicationOptions {"{"} ApplicationName = "Shop", ContentRootPath = args[0], EnvironmentName = "Production" {"}"});
                {Assert.Single(blocks["csharp"])}
                await using var app = builder.Build();
                var logger = app.Services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop.Cart");
                {Assert.Single(page.Below(calls)).Text}
                """).Save(library);
            return [.. Run(library, folder.Path).Select(WithoutTime)];
        }
        finally
        {
            File.Delete(library);
        }
    }

    /// <summary>Runs a block that is a whole program.</summary>
    /// <returns>The lines of its standard output.</returns>
    public static string[] Output(Block program)
    {
        using var folder = new TempFolder();
        var library = Path.Combine(AppContext.BaseDirectory, $"{Path.GetFileName(folder.Path)}.dll");
        try
        {
            new Code(program.Text).Save(library);
            return Run(library, folder.Path);
        }
        finally
        {
            File.Delete(library);
        }
    }

    /// <summary>A line with 0 for every digit of its time and offset.</summary>
    public static string WithoutTime(string line) => Time().Replace(line, static time => Digit().Replace(time.Value, "0").Replace('-', '+'));

    /// <summary>The name of a file with 0 for every digit of its date.</summary>
    public static string WithoutDay(string name) => Day().Replace(name, "00000000");

    private static void Use(Block block, WebApplicationBuilder builder, TempFolder folder, Uri? collector)
    {
        var text = block.Text.Replace("\"logs/", $"\"{folder.Path}/logs/", StringComparison.Ordinal);
        if (collector is not null)
            text = text.Replace("http://collector:4318", collector.GetLeftPart(UriPartial.Authority), StringComparison.Ordinal);
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

    private static string[] Run(string library, string folder)
    {
        var own = Path.Combine(AppContext.BaseDirectory, typeof(Moved).Assembly.GetName().Name!);
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var argument in new[] { "exec", "--depsfile", $"{own}.deps.json", "--runtimeconfig", $"{own}.runtimeconfig.json", library, folder })
            start.ArgumentList.Add(argument);
        using var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        var lines = process.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        process.WaitForExit();
        Assert.Equal("", errors.Result);
        Assert.Equal(0, process.ExitCode);
        return lines;
    }

    [GeneratedRegex("[0-9]{8}", RegexOptions.None, 1_000)]
    private static partial Regex Day();

    [GeneratedRegex(@"([0-9]{4}-[0-9]{2}-[0-9]{2}[ T])?[0-9]{2}:[0-9]{2}:[0-9]{2}([.,][0-9]+)?( ?[+-][0-9]{2}:[0-9]{2}|Z)?", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Time();

    [GeneratedRegex("[0-9]", RegexOptions.None, 1_000)]
    private static partial Regex Digit();

    [GeneratedRegex(@"""[a-z0-9]+\.config""", RegexOptions.None, 1_000)]
    private static partial Regex Config();
}
