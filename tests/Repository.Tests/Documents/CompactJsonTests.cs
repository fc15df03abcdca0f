using System.Diagnostics;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Serilog;
using Serilog.Core;
using Serilog.Formatting.Compact;

namespace AsyncLog.Tests.Documents;

/// <summary>The table of the page on Serilog that shows in which members the compact JSON of both libraries differs.</summary>
public sealed class CompactJsonTests
{
    private const string Header = "| Call | Serilog | AsyncLog |";

    private static readonly EventId Placed = new(14, "Placed");

    // One for both libraries.
    private static readonly Activity Checkout = Started("checkout");

    private static readonly (string Name, Action<Microsoft.Extensions.Logging.ILogger> Call)[] Calls =
    [
        ("template with values", static logger => logger.LogInformation("Cart {CartId} has {Items} items", "c-17", 3)),
        ("template without values", static logger => logger.LogInformation("Started")),
        ("text with braces", static logger => logger.LogInformation("{{Items}}")),
        ("value with a format", static logger => logger.LogInformation("Took {Duration:F1} ms", 12.34)),
        ("event id", static logger => logger.LogInformation(14, "Placed {Id}", 5)),
        ("event id with a name", static logger => logger.LogInformation(Placed, "Placed {Id}", 5)),
        ("level and exception", static logger => logger.LogCritical(new TimeoutException("too late"), "Failed {Id}", 5)),
        ("activity", static logger =>
        {
            Activity.Current = Checkout;
            logger.LogInformation("Paid {Id}", 5);
            Activity.Current = null;
        }),
        ("two values of one name", static logger => logger.LogInformation("{Id} and {Id}", 1, 2)),
        ("numbers and texts", static logger => logger.LogInformation("{A} {B} {C} {D} {E} {F}", 1L, 1.5m, 0.1f, 'c', true, null)),
        ("number without a value", static logger => logger.LogInformation("{Rate}", double.NaN)),
        ("date and time", static logger => logger.LogInformation("{At}", new DateTime(2026, 11, 25, 1, 2, 3, DateTimeKind.Utc))),
        ("date, time and offset", static logger => logger.LogInformation("{At}", new DateTimeOffset(2026, 11, 25, 1, 2, 3, TimeSpan.FromHours(1)))),
        ("date", static logger => logger.LogInformation("{On} {At}", new DateOnly(2026, 11, 25), new TimeOnly(1, 2, 3))),
        ("duration", static logger => logger.LogInformation("{For}", TimeSpan.FromSeconds(1.5))),
        ("GUID, address and enum", static logger => logger.LogInformation("{Id} {Url} {Day}", Guid.Empty, new Uri("http://a/b"), DayOfWeek.Friday)),
        ("list", static logger => logger.LogInformation("{Ids}", new List<int> { 1, 2 })),
        ("dictionary", static logger => logger.LogInformation("{Counts}", new Dictionary<string, int> { ["a"] = 1 })),
        ("bytes", static logger => logger.LogInformation("{Data}", new byte[] { 1, 2, 3 })),
        ("object", static logger => logger.LogInformation("{Item}", new Item(5))),
        ("list of objects", static logger => logger.LogInformation("{Items}", new[] { new Item(5) })),
        ("scope: dictionary", static logger => Within(logger, new Dictionary<string, object> { ["Tenant"] = "acme", ["Shard"] = 7 })),
        ("scope: dictionary of texts", static logger => Within(logger, new Dictionary<string, string> { ["Tenant"] = "acme" })),
        ("scope: dictionary of numbers", static logger => Within(logger, new Dictionary<string, int> { ["Shard"] = 7 })),
        ("scope: tuple", static logger => Within(logger, ("Tenant", (object)"acme"))),
        ("scope: tuple of other types", static logger => Within(logger, ("Shard", 7))),
        ("scope: template", static logger =>
        {
            using (logger.BeginScope("Order {OrderId}", 4711))
                logger.LogInformation("Paid {Id}", 5);
        }),
        ("scope: text", static logger => Within(logger, "checkout")),
        ("scope: object", static logger => Within(logger, new Item(5))),
        ("scope: `{@Item}` of a dictionary", static logger => Within(logger, new Dictionary<string, object> { ["@Item"] = new { Id = 5 } })),
        ("two scopes", static logger =>
        {
            using (logger.BeginScope("outer"))
                Within(logger, "inner");
        }),
        ("a name in two scopes", static logger =>
        {
            using (logger.BeginScope(new Dictionary<string, object> { ["Tenant"] = "outer" }))
                Within(logger, new Dictionary<string, object> { ["Tenant"] = "inner" });
        }),
        ("a name in the call and a scope", static logger =>
        {
            using (logger.BeginScope(new Dictionary<string, object> { ["Tenant"] = "scope" }))
                logger.LogInformation("Paid by {Tenant}", "call");
        }),
        ("state: dictionary of numbers", static logger => logger.Log(LogLevel.Information, default, new Dictionary<string, int> { ["Shard"] = 7 }, null, static (_, _) => "Moved")),
        ("state: object", static logger => logger.Log(LogLevel.Information, default, new Item(5), null, static (_, _) => "Moved")),
        ("names of the layout", static logger => logger.LogInformation("{SourceContext} {EventId}", "a", "b")),
    ];

    [Fact]
    public void The_table_shows_in_which_members_both_libraries_differ()
        => DocumentTable.Same("docs/migrate-from-serilog.md", Header, Calls.Select(static call => Row(call.Name, Members(OfSerilog(call.Call)), Members(OfAsyncLog(call.Call)))));

    private static string Row(string name, List<string> theirs, List<string> own)
        => $"| {name} | {Cell(theirs.Except(own, StringComparer.Ordinal))} | {Cell(own.Except(theirs, StringComparer.Ordinal))} |";

    private static string Cell(IEnumerable<string> members) => string.Join(", ", members.Select(static member => $"`{member}`"));

    // The time differs always, and AsyncLog writes the rendered message always.
    private static List<string> Members(string line)
    {
        using var record = JsonDocument.Parse(line);
        var hasTemplate = record.RootElement.TryGetProperty("@mt", out _);
        return [.. record.RootElement.EnumerateObject().Where(member => member.Name != "@t" && (member.Name != "@m" || !hasTemplate)).Select(static member => $"\"{member.Name}\":{member.Value.GetRawText()}")];
    }

    private static string OfSerilog(Action<Microsoft.Extensions.Logging.ILogger> call)
    {
        var sink = new CompactSink();
        using (var logger = new LoggerConfiguration().MinimumLevel.Verbose().Enrich.FromLogContext().WriteTo.Sink(sink).CreateLogger())
        using (var loggers = LoggerFactory.Create(logging => logging.AddSerilog(logger)))
            call(loggers.CreateLogger("Shop"));
        return sink.Line;
    }

    private static string OfAsyncLog(Action<Microsoft.Extensions.Logging.ILogger> call)
    {
        using var folder = new TempFolder();
        var path = folder.File("shop.clef");
        using (var loggers = LoggerFactory.Create(logging =>
        {
            logging.Services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel) = (false, LogLevel.None));
            logging.AddAsyncFile(options => (options.Path, options.Format) = (path, "Clef"));
        }))
        {
            call(loggers.CreateLogger("Shop"));
        }

        return Assert.Single(File.ReadAllLines(path));
    }

    // Not the current one until a call needs it.
    private static Activity Started(string name)
    {
        var activity = new Activity(name).SetIdFormat(ActivityIdFormat.W3C).Start();
        Activity.Current = null;
        return activity;
    }

    private static void Within<T>(Microsoft.Extensions.Logging.ILogger logger, T scope)
        where T : notnull
    {
        using (logger.BeginScope(scope))
            logger.LogInformation("Paid {Id}", 5);
    }

    private sealed class CompactSink : ILogEventSink
    {
        private readonly CompactJsonFormatter _formatter = new();

        public string Line { get; private set; } = "";

        public void Emit(Serilog.Events.LogEvent logEvent)
        {
            using var writer = new StringWriter();
            _formatter.Format(logEvent, writer);
            Line = writer.ToString();
        }
    }

    private sealed record Item(int Id);
}
