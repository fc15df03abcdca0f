using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Support;

/// <summary>A record as another provider gets it.</summary>
internal sealed record LoggedRecord(string Category, LogLevel Level, EventId Id, string Message, Exception? Exception, IReadOnlyList<KeyValuePair<string, object?>> State)
{
    public object? this[string name] => State.Last(pair => pair.Key == name).Value;
}

/// <summary>A provider that keeps each record with its state.</summary>
internal sealed class KeepingProvider : ILoggerProvider
{
    private readonly ConcurrentQueue<LoggedRecord> _records = [];

    public IReadOnlyList<LoggedRecord> Records => [.. _records];

    public ILogger CreateLogger(string categoryName) => new Logger(categoryName, _records);

    public void Dispose()
    {
        // holds nothing
    }

    private sealed class Logger(string category, ConcurrentQueue<LoggedRecord> records) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel != LogLevel.None;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            => records.Enqueue(new LoggedRecord(category, logLevel, eventId, formatter(state, exception), exception, state as IReadOnlyList<KeyValuePair<string, object?>> ?? []));
    }
}
