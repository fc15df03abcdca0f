namespace AsyncLog.Tests.Documents;

/// <summary>The programs that make the same calls with each library.</summary>
public sealed class ConversionPrograms : IDisposable
{
    private const string Builder =
        """
        var builder = WebApplication.CreateBuilder(new WebApplicationOptions { ContentRootPath = Path.GetDirectoryName(args[0]), EnvironmentName = "Production" });
        builder.Configuration.Sources.Clear();
        builder.Logging.ClearProviders();
        """;

    internal CallsProgram Serilog { get; } = new(
        $"""
        using Serilog;

        {Builder}
        var settings = new ConfigurationBuilder().AddJsonFile(args[0]).Build();
        builder.Logging.SetMinimumLevel(LogLevel.Trace).AddSerilog(new LoggerConfiguration().ReadFrom.Configuration(settings).CreateLogger(), dispose: true);
        """);

    internal CallsProgram NLog { get; } = new(
        $"""
        using NLog.Web;

        {Builder}
        builder.Logging.SetMinimumLevel(LogLevel.Trace).AddNLogWeb(args[0]);
        """);

    internal CallsProgram AsyncLog { get; } = new(
        $$"""
        using AsyncLog;

        {{Builder}}
        builder.Configuration.AddJsonFile(args[0]).AddInMemoryCollection(new Dictionary<string, string?> { ["AsyncLog:Strict"] = "true", ["AsyncLog:StartupReport"] = "false" });
        if (builder.Configuration.GetSection("Logging:AsyncFile").Exists())
            builder.Logging.AddAsyncFile();
        if (builder.Configuration.GetSection("Logging:AsyncConsole").Exists())
            builder.Logging.AddAsyncConsole();
        """);

    internal CallsProgram Of(string configuration) => configuration.StartsWith("serilog", StringComparison.Ordinal) ? Serilog : NLog;

    public void Dispose()
    {
        Serilog.Dispose();
        NLog.Dispose();
        AsyncLog.Dispose();
    }
}
