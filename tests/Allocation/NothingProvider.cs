using Microsoft.Extensions.Logging;

namespace AsyncLog.Allocation;

/// <summary>A provider that does nothing.</summary>
internal sealed class NothingProvider : ILoggerProvider, ILogger
{
    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        // what is allocated before this is MEL's
    }

    public void Dispose()
    {
        // holds nothing
    }
}
