using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Builds events as a logger would, through MEL's own states.</summary>
internal static class TestEvents
{
    public const string DefaultCategory = "Shop.Cart";
    private const int DefaultLimit = 256 * 1024;

    /// <summary>2026-11-20T12:34:56.1234567Z.</summary>
    public static readonly DateTimeOffset DefaultTime = new DateTimeOffset(2026, 11, 20, 12, 34, 56, TimeSpan.Zero).AddTicks(1234567);

    /// <summary>An event of <c>logger.Log(level, id, exception, template, args)</c>.</summary>
    public static LogEvent FromTemplate(string? template, params object?[] args) => Create(new TestEvent { Template = template, Args = args });

    /// <summary>An event as described.</summary>
    public static LogEvent Create(TestEvent said)
    {
        var logger = new EventLogger(said);
        if (said.State is not null)
            logger.Log(said.Level, said.EventId, said.State, said.Exception, (_, _) => said.Message!);
        else if (said.Template is not null)
            logger.Log(said.Level, said.EventId, said.Exception, said.Template, said.Args);
        else
            logger.Log(said.Level, said.EventId, said.Message, said.Exception, (state, _) => state!);
        return logger.Event!;
    }

    /// <summary>The message as text.</summary>
    public static string Text(this LogEvent logEvent) => Encoding.UTF8.GetString(logEvent.Message);

    private sealed class EventLogger(TestEvent said) : ILogger
    {
        public LogEvent? Event { get; private set; }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            Event = new LogEvent();
            var scopes = new LoggerExternalScopeProvider();
            foreach (var scope in said.Scopes)
                scopes.Push(scope);
            Event.Begin(said.Time.UtcTicks, logLevel, new LogCategory(said.Category), eventId, exception, scopes, said.MessageLimit);
            StateReader<TState>.Instance.Read(ref state, formatter, Event);
            // The event outlives the call here, which a state read later would not.
            _ = Event.Properties;
        }
    }

    /// <summary>What is logged: a template with arguments, or a state with a message, or a message alone.</summary>
    internal sealed record TestEvent
    {
        public LogLevel Level { get; init; } = LogLevel.Information;
        public string Category { get; init; } = DefaultCategory;
        public EventId EventId { get; init; }
        public string? Message { get; init; } = "hello";
        public string? Template { get; init; }
        public object?[] Args { get; init; } = [];
        public IReadOnlyList<KeyValuePair<string, object?>>? State { get; init; }
        public object[] Scopes { get; init; } = [];
        public Exception? Exception { get; init; }
        public DateTimeOffset Time { get; init; } = DefaultTime;
        public int MessageLimit { get; init; } = DefaultLimit;
    }
}
