using System.Text.RegularExpressions;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Documents;

/// <summary>The reports that docs/troubleshooting.md shows: an application in that trouble writes them to stderr.</summary>
public sealed partial class TroubleshootingTests
{
    private const string Info = "AsyncLog:SelfReportLevel=Information";

    [Theory]
    [InlineData("Troubleshooting", Info)]
    [InlineData("No file appears", "Logging:AsyncFile:Path=/srv/data/shop.log", "AsyncLog:SelfReportLevel=Error")]
    [InlineData("A level is not applied", Info, "Logging:LogLevel:Shop.Cart=Debug", "Logging:AsyncFile:LogLevel:Default=Warning")]
    [InlineData("A setting has no effect", "Logging:AsyncFile:Paht=logs/a.log", "Logging:AsyncFiles:Path=logs/a.log")]
    [InlineData("Nothing arrives", "Logging:AsyncOtlp:Endpoint=http://127.0.0.1:4999", "Logging:AsyncOtlp:ShutdownTimeout=0s")]
    public async Task The_page_quotes_what_stderr_says(string heading, params string[] settings)
    {
        var page = Document.At("docs/troubleshooting.md");
        string[] quoted = [.. page.Below(heading).Single(static block => block.Language == "text").Text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(Unified)];

        Assert.NotEmpty(quoted);

        using var folder = new TempFolder();
        File.WriteAllText(folder.File("data"), "");
        var port = Ports.Free();
        var atStart = StandardError.Hear();
        using var host = Build(folder, settings.Select(setting => setting.Replace("/srv/", $"{folder.Path}/", StringComparison.Ordinal).Replace(":4999", $":{port}", StringComparison.Ordinal)));
        await host.StartAsync(TestContext.Current.CancellationToken);
        host.Services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop.Cart").LogError("Said to the destination");
        var start = StandardError.Copy(atStart);

        // Workers report without the context of the test.
        IEnumerable<string> Said() => start.Concat(StandardError.LinesWith(folder.Path)).Concat(StandardError.LinesWith($":{port}:")).Concat(StandardError.LinesWith(" Shop.Cart from "))
            .Select(line => Unified(line.Replace($"{folder.Path}/logs", "/srv/shop/logs", StringComparison.Ordinal)
                .Replace(folder.Path, "/srv", StringComparison.Ordinal).Replace($":{port}:", ":4999:", StringComparison.Ordinal)));
        await Eventually.Holds(() => !quoted.Except(Said()).Any(), otherwise: () => $"said: {string.Join('\n', quoted)}; but there is only:\n{string.Join('\n', Said())}");
    }

    private static IHost Build(TempFolder folder, IEnumerable<string> settings)
    {
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { ApplicationName = "Shop", ContentRootPath = folder.Path, DisableDefaults = true });
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?> { ["Logging:LogLevel:Default"] = "Information", ["Logging:AsyncFile:ShutdownTimeout"] = "0s" });
        builder.Configuration.AddInMemoryCollection(settings.Select(static setting => setting.Split('=', 2)).Select(static pair => KeyValuePair.Create(pair[0], (string?)pair[1])));
        builder.Logging.AddConfiguration(builder.Configuration.GetSection("Logging")).AddAsyncFile();
        if (builder.Configuration.GetSection("Logging:AsyncOtlp").Exists())
            builder.Logging.AddAsyncOtlp();
        return builder.Build();
    }

    private static string Unified(string line) => TimeAndZone().Replace(line, "");

    [GeneratedRegex(@"^[0-9-]{10} [0-9:.]{12} [+-][0-9:]{5} ", RegexOptions.None, 1_000)]
    private static partial Regex TimeAndZone();
}
