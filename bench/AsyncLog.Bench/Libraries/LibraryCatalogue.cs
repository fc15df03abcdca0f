namespace AsyncLog.Bench;

/// <summary>Every library by its name on the command line.</summary>
internal static class LibraryCatalogue
{
    private static readonly Dictionary<string, Func<LibrarySetup, ILibrary>> Factories = new(StringComparer.Ordinal)
    {
        ["no-op"] = static _ => new NoOpLibrary(),
        ["asynclog-text"] = static setup => new AsyncLogLibrary(setup, "Text", instances: 1),
        ["asynclog-json"] = static setup => new AsyncLogLibrary(setup, "Json", instances: 1),
        ["asynclog-two"] = static setup => new AsyncLogLibrary(setup, "Text", instances: 2),
        ["asynclog-crash"] = static setup => new AsyncLogLibrary(setup, "Text", instances: 1, survivesKill: true),
        ["nlog-default"] = NLogLibrary.Default,
        ["nlog-100000"] = static setup => NLogLibrary.Asynchronous(setup, queueLimit: 100_000),
        ["nlog-sleep10"] = static setup => NLogLibrary.Asynchronous(setup, queueLimit: 100_000, sleep: 10),
        ["nlog-json"] = static setup => NLogLibrary.Asynchronous(setup, queueLimit: 100_000, isJson: true),
        ["nlog-grow"] = static setup => NLogLibrary.Asynchronous(setup, queueLimit: 100_000, grows: true),
        ["nlog-keep-open"] = NLogLibrary.Synchronous,
        ["serilog-default"] = static setup => new SerilogLibrary(setup, isBuffered: false, queueLength: 10_000),
        ["serilog-100000"] = static setup => new SerilogLibrary(setup, isBuffered: true, queueLength: 100_000),
        ["serilog-json"] = static setup => new SerilogLibrary(setup, isBuffered: true, queueLength: 100_000, isJson: true),
        ["serilog-sync"] = static setup => new SerilogLibrary(setup, isBuffered: true),
        ["console-default"] = static setup => new ConsoleLibrary(setup, queueLength: 2_500),
        ["console-100000"] = static setup => new ConsoleLibrary(setup, queueLength: 100_000),
        ["console-json"] = static setup => new ConsoleLibrary(setup, queueLength: 100_000, isJson: true),
        ["zlogger-text"] = static setup => new ZLoggerLibrary(setup, isJson: false),
        ["zlogger-json"] = static setup => new ZLoggerLibrary(setup, isJson: true),
        ["opentelemetry"] = static setup => OpenTelemetryLibrary.Tuned(setup, batchSize: 8_192),
        ["opentelemetry-default"] = OpenTelemetryLibrary.Default,
        ["asynclog-otlp"] = static setup => new AsyncLogOtlpLibrary(setup, withMessage: false),
        ["asynclog-otlp-message"] = static setup => new AsyncLogOtlpLibrary(setup, withMessage: true),
        ["asynclog-otlp-defaults"] = AsyncLogOtlpLibrary.WithDefaults,
        ["opentelemetry-otlp"] = static setup => new OpenTelemetryOtlpLibrary(setup, withMessage: false),
        ["opentelemetry-otlp-message"] = static setup => new OpenTelemetryOtlpLibrary(setup, withMessage: true),
        ["opentelemetry-otlp-message-512"] = static setup => new OpenTelemetryOtlpLibrary(setup, withMessage: true, batchSize: 512),
        ["opentelemetry-otlp-defaults"] = OpenTelemetryOtlpLibrary.WithDefaults,
    };

    public static IReadOnlyCollection<string> Names => Factories.Keys;

    public static ILibrary Create(string name, LibrarySetup setup)
        => Factories.TryGetValue(name, out var factory) ? factory(setup) : throw new ArgumentException($"no library '{name}'; there are: {string.Join(", ", Names)}");
}
