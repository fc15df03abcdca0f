using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>A provider that does nothing: what MEL itself costs.</summary>
internal sealed class NoOpLibrary : ILibrary
{
    public void AddTo(ILoggingBuilder builder) => builder.AddProvider(new Provider());

    public void Dispose()
    {
        // holds nothing
    }

    private sealed class Provider : ILoggerProvider, ILogger
    {
        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            // the floor: MEL came here and goes back
        }

        public void Dispose()
        {
            // holds nothing
        }
    }
}
