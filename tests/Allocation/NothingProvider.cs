using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>A provider that does nothing.</summary>
/// <param name="withMessage">Whether it asks for the message all the same.</param>
internal sealed class NothingProvider(bool withMessage = false) : ILoggerProvider, ILogger
{
    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        // what is allocated before this is MEL's
        if (withMessage)
            GC.KeepAlive(formatter(state, exception));
    }

    public void Dispose()
    {
        // holds nothing
    }
}
