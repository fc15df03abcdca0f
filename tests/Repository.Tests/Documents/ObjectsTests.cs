using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NLog;
using NLog.Extensions.Logging;
using NLog.Targets;
using Serilog;
using Serilog.Core;
using Serilog.Formatting.Compact;

namespace AsyncLog.Tests.Documents;

/// <summary>The tables of the pages on migration that show what the libraries write for <c>{@Item}</c>.</summary>
public sealed class ObjectsTests
{
    private const int LongestCell = 100;
    private const string Template = "{@Item}";

    private static readonly (string Name, Func<object?> Value)[] Values =
    [
        ("record with a null", static () => new Order(5, "Ann", null)),
        ("anonymous type", static () => new { A = 1, B = "b" }),
        ("nested objects", static () => new { Order = new Order(5, "Ann", null), Tags = new[] { "x", "y" } }),
        ("a derived object in a property of its base type", static () => new { Pet = new Cage(new Dog("Rex", 3)) }),
        ("dictionary", static () => new Dictionary<string, object?> { ["a"] = 1, ["b"] = null }),
        ("dictionary with other keys", static () => new Dictionary<int, string> { [1] = "one" }),
        ("sequence", static () => Enumerable.Range(1, 3).Select(static number => number * 2)),
        ("tuple", static () => (1, "b")),
        ("enum", static () => new { Day = DayOfWeek.Friday }),
        ("dates", static () => new { At = new DateTimeOffset(2026, 11, 25, 1, 2, 3, TimeSpan.FromHours(1)), For = TimeSpan.FromSeconds(1.5) }),
        ("number without a value", static () => new { Rate = double.NaN }),
        ("text", static () => new { Text = "<é> \"q\"\n" }),
        ("public field", static () => new Fields()),
        ("bytes", static () => new { Data = new byte[] { 1, 2, 3 } }),
        ("exception", static () => new TimeoutException("too late")),
        ("type", static () => typeof(string)),
        ("`JsonElement`", static () => JsonElement.Parse("""{"a":[1,null]}""")),
        ("`JsonNode`", static () => JsonNode.Parse("""{"a":[1,null]}""")),
        ("cycle", static () => Cyclic()),
        ("chain of 12 objects", static () => Chain(12)),
        ("property that throws", static () => new Lazy()),
        ("`IAsyncEnumerable`", static () => new Asynchronous()),
    ];

    [Theory]
    [InlineData("serilog", "Serilog")]
    [InlineData("nlog", "NLog")]
    public void The_table_shows_what_both_libraries_write(string page, string library)
    {
        Func<object?, string> theirs = library == "NLog" ? OfNLog : OfSerilog;
        DocumentTable.Same(
            $"docs/migrate-from-{page}.md",
            $"| Value of `{Template}` | {library} | AsyncLog |",
            Values.Select(value => $"| {value.Name} | {Cell(theirs(value.Value()))} | {Cell(OfAsyncLog(value.Value()))} |"));
    }

    private static string Cell(string text)
    {
        text = text.ReplaceLineEndings("\\n");
        return $"`{(text.Length <= LongestCell ? text : text[..LongestCell] + "…")}`";
    }

    // The property in Serilog's compact JSON.
    private static string OfSerilog(object? value)
    {
        var sink = new CompactSink();
        using (var logger = new LoggerConfiguration().WriteTo.Sink(sink).CreateLogger())
        using (var loggers = LoggerFactory.Create(logging => logging.AddSerilog(logger)))
            Log(loggers, value);
        return sink.Property;
    }

    // The message; NLog's JSON layout writes the property in the same way.
    private static string OfNLog(object? value)
    {
        using var target = new MemoryTarget { Layout = "${message}" };
        using var factory = new LogFactory();
        factory.Setup().LoadConfiguration(configuration => configuration.ForLogger().WriteTo(target));
        using (var loggers = LoggerFactory.Create(logging => logging.AddProvider(new NLogLoggerProvider(new NLogProviderOptions(), factory))))
            Log(loggers, value);
        return Assert.Single(target.Logs);
    }

    private static string OfAsyncLog(object? value)
    {
        using var folder = new TempFolder();
        var path = folder.File("objects.log");
        using (var loggers = LoggerFactory.Create(logging =>
        {
            logging.Services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel) = (false, Microsoft.Extensions.Logging.LogLevel.None));
            logging.AddAsyncFile(options => (options.Path, options.Format) = (path, "Json"));
        }))
        {
            Log(loggers, value);
        }

        using var record = JsonDocument.Parse(Assert.Single(File.ReadAllLines(path)));
        return record.RootElement.GetProperty("State").GetProperty("Item").GetRawText();
    }

    private static void Log(ILoggerFactory loggers, object? value) => loggers.CreateLogger("Shop").LogInformation(Template, value);

    private static Node Cyclic()
    {
        var node = new Node("a", null);
        node.Next = node;
        return node;
    }

    private static Node? Chain(int length) => length == 0 ? null : new Node($"n{length}", Chain(length - 1));

    private sealed class CompactSink : ILogEventSink
    {
        private readonly CompactJsonFormatter _formatter = new();

        public string Property { get; private set; } = "";

        public void Emit(Serilog.Events.LogEvent logEvent)
        {
            using var writer = new StringWriter();
            _formatter.Format(logEvent, writer);
            using var record = JsonDocument.Parse(writer.ToString());
            Property = record.RootElement.GetProperty("Item").GetRawText();
        }
    }

    private sealed record Order(int Id, string Customer, string? Note);

    private sealed record Cage(Animal Animal);

    private record Animal(string Name);

    private sealed record Dog(string Name, int Age) : Animal(Name);

    private sealed class Fields
    {
        public int Field = 1;

        public int Property { get; } = 2;
    }

    private sealed class Node(string name, Node? next)
    {
        public string Name { get; } = name;

        public Node? Next { get; set; } = next;
    }

    private sealed class Asynchronous : IAsyncEnumerable<int>
    {
        public async IAsyncEnumerator<int> GetAsyncEnumerator(CancellationToken cancellationToken)
        {
            await Task.Yield();
            yield return 1;
        }
    }

    // As a lazy property of an entity whose context is disposed.
    private sealed class Lazy
    {
        public int Id { get; } = 1;

        public Order Order => throw new InvalidOperationException("the context is disposed");

        public override string ToString() => "an entity";
    }
}
