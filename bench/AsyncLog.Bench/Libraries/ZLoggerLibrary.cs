using Microsoft.Extensions.Logging;
using ZLogger;
using ZLogger.Providers;

namespace AsyncLog.Bench;

/// <summary>ZLogger to a file, called through Microsoft.Extensions.Logging. Its queue grows without a limit, as it comes.</summary>
internal sealed class ZLoggerLibrary(LibrarySetup setup, bool isJson) : ILibrary
{
    public IReadOnlyList<string> Files { get; } = [setup.PathOf("zlogger.log")];

    public void AddTo(ILoggingBuilder builder) => builder.AddZLoggerFile(Files[0], Configure);

    // It has no flush.
    public void Drain(IServiceProvider services) => ConsoleLibrary.UntilQuiet(new FileInfo(Files[0]));

    public void Dispose()
    {
        // the container owns everything
    }

    private void Configure(ZLoggerFileOptions options)
    {
        options.IncludeScopes = isJson;
        if (isJson)
            options.UseJsonFormatter();
        else
            options.UsePlainTextFormatter(static line => line.SetPrefixFormatter($"{0:longdate} [{1:short}O] [{2}] ", static (in template, in info) => template.Format(info.Timestamp, info.LogLevel, info.Category)));
    }
}
