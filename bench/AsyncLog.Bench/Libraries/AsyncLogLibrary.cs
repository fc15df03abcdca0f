using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>AsyncLog to one file, or to several of one layout.</summary>
internal sealed class AsyncLogLibrary : ILibrary
{
    // u3 and an O give the peers' INFO, so that all lines are equal to the byte
    private const string SameLine = "{Timestamp:yyyy-MM-dd HH:mm:ss.fff} [{Level:u3}O] [{Category}] {Message}{NewLine}{Exception}";

    private readonly ServiceProvider _services;
    private readonly IAsyncLogControl _control;

    public AsyncLogLibrary(string directory, string format, int instances)
    {
        Files = [.. Enumerable.Range(0, instances).Select(number => Path.Combine(directory, string.Create(CultureInfo.InvariantCulture, $"asynclog-{number}.log")))];
        _services = new ServiceCollection().AddLogging(builder => Register(builder, format)).BuildServiceProvider();
        _control = _services.GetRequiredService<IAsyncLogControl>();
        Logger = _services.GetRequiredService<ILoggerFactory>().CreateLogger(OrderLog.Category);
    }

    public ILogger Logger { get; }

    // 16 MB hold 30,000 records as JSON
    public int Room => 30_000;

    public IReadOnlyList<string> Files { get; }

    public void Drain()
    {
        if (!_control.FlushAsync(TimeSpan.FromSeconds(30)).AsTask().GetAwaiter().GetResult())
            throw new InvalidOperationException("AsyncLog did not drain");
    }

    public void Dispose() => _services.Dispose();

    private void Register(ILoggingBuilder builder, string format)
    {
        builder.Services.Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        for (var number = 0; number < Files.Count; number++)
        {
            var file = Files[number];
            builder.AddAsyncFile(string.Create(CultureInfo.InvariantCulture, $"file{number}"), options =>
            {
                options.Path = file;
                options.Format = format;
                options.Template = format == "Text" ? SameLine : null;
                options.RollingInterval = RollingInterval.None;
                options.FileSizeLimit = null;
                options.RetainedFileCountLimit = null;
            });
        }
    }
}
