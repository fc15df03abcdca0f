using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>The application under load: one endpoint that logs some records per request. Ends on SIGTERM, and says how much it logged.</summary>
internal static class WebApp
{
    public const string Command = "web-app";
    public const string Endpoint = "/order";

    /// <summary>Asked between warm-up and measurement: times of calls begin anew.</summary>
    public const string Begin = "/begin";
    public const string AddressFile = "address";
    public const string FiguresFile = "figures";

    /// <summary>As each library comes: the console waits, the others drop.</summary>
    public static LibrarySetup Setup(string library, string directory, Uri? receiver) => new(directory, Drops: !library.StartsWith("console", StringComparison.Ordinal), receiver);

    public static int Run(BenchArguments arguments)
    {
        var directory = arguments.Text("directory", ".");
        var name = arguments.Text("library", "none");
        var receiver = arguments.Text("receiver", "");
        var handler = new WebRequest(arguments.Number("records", 10), TimeSpan.FromMicroseconds(arguments.Number("work-us", 0)), arguments.Has("time-calls"));
        AsyncLogStatus? status;
        using (var library = LibraryCatalogue.Create(name, Setup(name, directory, receiver.Length > 0 ? new Uri(receiver) : null)))
            status = Serve(library, directory, handler);
        var figures = handler.Figures().Concat(status?.Instances.SelectMany(static instance => SinkCounters.Of(instance).Figures(instance.Name)) ?? []);
        File.WriteAllLines(Path.Combine(directory, FiguresFile), figures.Select(static figure => string.Create(CultureInfo.InvariantCulture, $"{figure.Key} {figure.Value}")));
        return 0;
    }

    // what AsyncLog says about itself when it is closed; null where it is not there
    private static AsyncLogStatus? Serve(ILibrary library, string directory, WebRequest handler)
    {
        // A host watches all of its content root for changed settings: a log in there would wake the watcher with every write.
        var builder = WebApplication.CreateBuilder(new WebApplicationOptions { ContentRootPath = AppContext.BaseDirectory });
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders().SetMinimumLevel(LogLevel.Information).AddFilter("Microsoft", LogLevel.Warning);
        library.AddTo(builder.Logging);
        var application = builder.Build();
        var logger = application.Services.GetRequiredService<ILoggerFactory>().CreateLogger(OrderLog.Category);
        var control = application.Services.GetService<IAsyncLogControl>();
        application.MapGet(Endpoint, () => handler.Answer(logger));
        application.MapGet(Begin, handler.Begin);
        application.Lifetime.ApplicationStarted.Register(() => Announce(Path.Combine(directory, AddressFile), application.Urls.First()));
        application.Run();
        return control?.GetStatus();
    }

    /// <summary>Leaves an address in a file, which is complete as soon as it has its name.</summary>
    public static void Announce(string path, string address)
    {
        File.WriteAllText(path + ".new", address);
        File.Move(path + ".new", path);
    }
}
