using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Hosting.Internal;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Documents;

/// <summary>The configuration of the documents: the real providers start from every block, strictly, and find nothing to report.</summary>
public sealed class SettingsTests
{
    private static readonly Dictionary<string, Func<ILoggingBuilder, ILoggingBuilder>> Sinks = new(StringComparer.OrdinalIgnoreCase)
    {
        ["AsyncFile"] = static logging => logging.AddAsyncFile(),
        ["AsyncConsole"] = static logging => logging.AddAsyncConsole(),
        ["AsyncSyslog"] = static logging => logging.AddAsyncSyslog(),
        ["AsyncOtlp"] = static logging => logging.AddAsyncOtlp(),
    };

    private static readonly string[] Paths = ["Path", "SpoolPath", "CaFile", "ClientCertificateFile", "ClientKeyFile"];

    public static TheoryData<Block> Blocks
        => new(Document.All.SelectMany(static document => document.Blocks)
            .Where(static block => block.Language is "json" or "jsonc" && !SettingsText.IsRecords(block.Text)));

    [Theory]
    [MemberData(nameof(Blocks))]
    public void A_block_of_configuration_starts_the_providers_without_a_report(Block block)
        => Assert.Equal([], Reports(SettingsText.Read(block.Text)));

    [Theory]
    [InlineData("\"AsyncFile\": { \"Paht\": \"logs/a.log\" }", "Logging:AsyncFile:Paht is not a known option; did you mean 'Path'?")]
    [InlineData(
        "{ \"Logging\": { \"AsyncFile\": { \"FileSizeLimit\": \"much\" } } }",
        "Logging:AsyncFile:FileSizeLimit 'much' is not valid: expected a size such as 4096, 64KB or 1.5GB")]
    [InlineData("{ \"Logging\": { \"AsyncFiles\": { \"Path\": \"a.log\" }, \"AsyncFile\": { } } }", "Logging:AsyncFiles is not a section that AsyncLog ")]
    [InlineData("{ \"AsyncLog\": { \"Stric\": true } }", "AsyncLog:Stric is not a known option; did you mean 'Strict'?")]
    [InlineData("\"AsyncOtlp\": { \"Protocol\": \"Http\" }", "Logging:AsyncOtlp:Protocol 'Http' is not valid: expected HttpProtobuf or Grpc")]
    public void A_mistake_in_a_block_is_found(string text, string report)
        => Assert.Contains(Reports(SettingsText.Read(text)), line => line.Contains(report, StringComparison.Ordinal));

    [Theory]
    [InlineData("{ \"Logging\": { \"LogLevel\": { \"Default\": \"Warning\" } } }\n", false)]
    [InlineData("{\"@t\":\"2026-11-23\"}\n{\"@t\":\"2026-11-24\"}\n", true)]
    [InlineData("{\"Timestamp\":\"2026-11-23\"}\n", true)]
    public void Only_lines_that_begin_with_a_time_are_records(string text, bool areRecords) => Assert.Equal(areRecords, SettingsText.IsRecords(text));

    [Fact]
    public void A_fragment_without_its_section_is_refused()
        => Assert.Throws<FormatException>(static () => SettingsText.Read("\"Path\": \"logs/a.log\""));

    // What stops the start, or what AsyncLog says on stderr about the configuration.
    private static string[] Reports(Dictionary<string, string?> settings)
    {
        using var folder = new TempFolder();
        Redirect(settings, folder);
        var heard = StandardError.Hear();
        var configuration = new ConfigurationBuilder().AddInMemoryCollection(settings).Build();
        var services = new ServiceCollection().AddSingleton<IConfiguration>(configuration)
            .AddSingleton<IHostEnvironment>(new HostingEnvironment { ApplicationName = "Shop", EnvironmentName = "Production", ContentRootPath = folder.Path });
        services.AddLogging(logging =>
        {
            logging.AddConfiguration(configuration.GetSection("Logging"));
            var configured = Sinks.Keys.Where(sink => configuration.GetSection($"Logging:{sink}").Exists()).ToList();
            foreach (var sink in configured.Count > 0 ? configured : ["AsyncFile"])
                Sinks[sink](logging);
        });
        using (var provider = services.BuildServiceProvider())
        {
            try
            {
                provider.GetRequiredService<ILoggerFactory>();
            }
            catch (OptionsValidationException exception)
            {
                return [.. exception.Failures];
            }

            // The second that the start waits at most for stderr is over soon on a busy machine.
            Eventually.True(provider.GetRequiredService<SelfReport>().Flush);
        }

        return Array.FindAll(StandardError.Copy(heard), static line => line.Contains(" configuration: ", StringComparison.Ordinal));
    }

    // No record is logged, so that no receiver is called. Relative paths are below the folder, the content root; those that begin at the root are moved there.
    private static void Redirect(Dictionary<string, string?> settings, TempFolder folder)
    {
        foreach (var (key, value) in settings.Where(static setting => Paths.Contains(setting.Key.Split(':')[^1], StringComparer.Ordinal)).ToList())
        {
            if (value is ['/', ..])
                settings[key] = folder.Path + value;
        }

        settings["AsyncLog:Strict"] = "true";
        settings["AsyncLog:StartupReport"] = "false";
    }
}
