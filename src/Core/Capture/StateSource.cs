using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The arguments of one <c>Log</c> call.</summary>
internal struct StateSource<TState>(
    LogLevel level, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) : IEventSource
{
    private TState _state = state;

    public void Fill(LogEvent logEvent, SinkLogger logger, int messageLimit)
    {
        logEvent.Begin(logger.TimeProvider.GetUtcNow().UtcTicks, level, logger.Category, logger.CategoryUtf8, eventId, exception, logger.Scopes, messageLimit);
        StateReader<TState>.Instance.Read(ref _state, formatter, exception, logEvent);
    }
}
