using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Replay;

/// <summary>A provider that keeps of each call what MEL's own formatter makes of it.</summary>
internal sealed class MelRecorder : ILoggerProvider
{
    public ConcurrentQueue<string> Said { get; } = new();

    public ILogger CreateLogger(string categoryName) => new Recorder(categoryName, Said);

    public void Dispose()
    {
    }

    private sealed class Recorder(string category, ConcurrentQueue<string> said) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            => said.Enqueue(SaidRecord.OfCall(logLevel, category, eventId, formatter(state, exception), (IReadOnlyList<KeyValuePair<string, object?>>)state!));
    }
}
