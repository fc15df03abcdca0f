using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>AsyncLog to one file, or to several of one layout.</summary>
internal sealed class AsyncLogLibrary(LibrarySetup setup, string format, int instances, bool survivesKill = false) : ILibrary
{
    /// <summary>u3 and an O give the peers' INFO, so that all lines are equal to the byte.</summary>
    public const string SameLine = "{Timestamp:yyyy-MM-dd HH:mm:ss.fff} [{Level:u3}O] [{Category}] {Message}{NewLine}{Exception}";

    private const string LineWithScopes = "{Timestamp:yyyy-MM-dd HH:mm:ss.fff} [{Level:u3}O] [{Category}] {Message} {Scopes}{NewLine}{Exception}";

    /// <summary>The name of its first instance.</summary>
    public const string FirstInstance = "file/default";

    // 16 MB hold 30,000 records as JSON
    public int Room => 30_000;

    public IReadOnlyList<string> Files { get; } = FilesOf(setup, instances);

    public static void DrainAll(IServiceProvider services)
    {
        if (!services.GetRequiredService<IAsyncLogControl>().FlushAsync(TimeSpan.FromSeconds(60)).GetAwaiter().GetResult())
            throw new InvalidOperationException("AsyncLog did not drain");
    }

    /// <summary>What every instance of a run shares.</summary>
    public static void Configure(SinkOptions options, bool drops)
    {
        options.QueueFullMode = drops ? QueueFullMode.DropWrite : QueueFullMode.Wait;
        options.WaitTimeout = TimeSpan.FromMinutes(1);
        options.ShutdownTimeout = TimeSpan.FromMinutes(1);
        options.GapNotices = false;
    }

    public void AddTo(ILoggingBuilder builder)
    {
        builder.Services.Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        builder.AddAsyncFile(options => Configure(options, Files[0]));
        for (var number = 1; number < Files.Count; number++)
        {
            var file = Files[number];
            builder.AddAsyncFile(string.Create(CultureInfo.InvariantCulture, $"file{number}"), options => Configure(options, file));
        }
    }

    public void Drain(IServiceProvider services) => DrainAll(services);

    public void Dispose()
    {
        // the container owns everything
    }

    // Without LINQ over numbers, which the harness would compile during the start that mode cold measures.
    private static string[] FilesOf(LibrarySetup setup, int count)
    {
        var files = new string[count];
        for (var number = 0; number < count; number++)
            files[number] = setup.PathOf(string.Create(CultureInfo.InvariantCulture, $"asynclog-{number}.log"));
        return files;
    }

    private void Configure(AsyncFileLoggerOptions options, string file)
    {
        Configure(options, setup.Drops);
        options.CrashBuffer = survivesKill;
        options.Path = file;
        options.Format = format;
        options.Template = format != "Text" ? null : setup.HasScopes ? LineWithScopes : SameLine;
        options.RollingInterval = RollingInterval.None;
        options.FileSizeLimit = null;
        options.RetainedFileCountLimit = null;
    }
}
