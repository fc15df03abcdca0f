using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.Buffering;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Documents;

/// <summary>What docs/layouts.md says of Microsoft.Extensions.Telemetry.</summary>
public sealed partial class EnrichmentTests
{
    [Fact]
    public async Task An_enricher_adds_its_property_to_every_record()
    {
        var block = Document.At("docs/layouts.md").Below("Enrichment").Single(static block => block.Language == "csharp");
        string[] carts = ["c-17", "c-18", "c-19"];
        var lines = await Write(
            builder => new Code(block.Text).Run(builder),
            app => Array.ForEach(
                carts, cart => app.Services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop.Cart").LogInformation("Cart {CartId}", cart)));
        Assert.Equal(carts.Length, lines.Length);
        foreach (var (cart, line) in carts.Zip(lines))
        {
            Assert.Contains($"\"CartId\":\"{cart}\"", line, StringComparison.Ordinal);
            Assert.Contains("\"shard\":7", line, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task The_members_of_an_argument_are_properties()
    {
        var line = Assert.Single(await Write(
            static _ => { },
            static app => Placed(app.Services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop.Cart"), new Order(4711, "Ann"))));
        Assert.Contains("\"order.Id\":4711", line, StringComparison.Ordinal);
        Assert.Contains("\"order.Customer\":\"Ann\"", line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_buffered_record_has_no_scopes()
    {
        var line = Assert.Single(await Write(
            static builder => builder.Logging.AddGlobalBuffer(LogLevel.Information),
            static app =>
            {
                var logger = app.Services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop.Cart");
                using (logger.BeginScope(new Dictionary<string, object> { ["Tenant"] = "acme" }))
                    logger.LogInformation("Cart {CartId}", "c-17");
                app.Services.GetRequiredService<GlobalLogBuffer>().Flush();
            }));
        Assert.Contains("\"CartId\":\"c-17\"", line, StringComparison.Ordinal);
        Assert.DoesNotContain("acme", line, StringComparison.Ordinal);
    }

    private static async Task<string[]> Write(Action<WebApplicationBuilder> set, Action<WebApplication> log)
    {
        using var folder = new TempFolder();
        var builder = WebApplication.CreateBuilder(new WebApplicationOptions { ApplicationName = "Shop", ContentRootPath = folder.Path });
        builder.Logging.ClearProviders().AddAsyncFile(options => (options.Path, options.Format) = (folder.File("log.jsonl"), "Json"));
        set(builder);
        await using (var app = builder.Build())
            log(app);
        return [.. File.ReadAllLines(folder.File("log.jsonl")).Where(static line => line.Contains("\"Category\":\"Shop.Cart\"", StringComparison.Ordinal))];
    }

    [LoggerMessage(1, LogLevel.Information, "Order placed")]
    private static partial void Placed(ILogger logger, [LogProperties] Order order);

    internal sealed record Order(int Id, string Customer);
}
