using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>The application under load: one endpoint that logs ten records per request. Ends on SIGTERM, and says how much it logged.</summary>
internal static class WebApp
{
    public const string Command = "web-app";
    public const string Endpoint = "/order";
    public const string AddressFile = "address";
    public const string RecordsFile = "records";
    private const int RecordsPerRequest = 10;

    private static long _requests;

    /// <summary>As each library comes: the console waits, the others drop.</summary>
    public static LibrarySetup Setup(string library, string directory) => new(directory, Drops: !library.StartsWith("console", StringComparison.Ordinal));

    public static int Run(BenchArguments arguments)
    {
        var directory = arguments.Text("directory", ".");
        var name = arguments.Text("library", "none");
        using (var library = LibraryCatalogue.Create(name, Setup(name, directory)))
        {
            Serve(library, directory);
        }

        File.WriteAllText(Path.Combine(directory, RecordsFile), (_requests * RecordsPerRequest).ToString(CultureInfo.InvariantCulture));
        return 0;
    }

    private static void Serve(ILibrary library, string directory)
    {
        var builder = WebApplication.CreateBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders().SetMinimumLevel(LogLevel.Information).AddFilter("Microsoft", LogLevel.Warning);
        library.AddTo(builder.Logging);
        var application = builder.Build();
        var logger = application.Services.GetRequiredService<ILoggerFactory>().CreateLogger(OrderLog.Category);
        application.MapGet(Endpoint, () => Answer(logger));
        application.Lifetime.ApplicationStarted.Register(() => Announce(Path.Combine(directory, AddressFile), application.Urls.First()));
        application.Run();
    }

    private static string Answer(ILogger logger)
    {
        var first = (Interlocked.Increment(ref _requests) - 1) * RecordsPerRequest;
        for (var n = first; n < first + RecordsPerRequest; n++)
            OrderLog.Generated(logger, OrderNumbers.At(n));
        return "done";
    }

    /// <summary>Whoever sees the file can read it.</summary>
    public static void Announce(string path, string address)
    {
        File.WriteAllText(path + ".new", address);
        File.Move(path + ".new", path);
    }
}
