using System.Globalization;

namespace AsyncLog;

/// <summary>Tells failures as events: the first of an operation and class at once, then at most one a minute with the count since. Any thread.</summary>
internal sealed class FileErrorEvents(SinkEvents events, TimeProvider timeProvider)
{
    private static readonly TimeSpan Pause = TimeSpan.FromMinutes(1);

    // Protects the dictionary; events are raised outside.
    private readonly Lock _gate = new();
    private readonly Dictionary<(string Operation, string ErrorType), Told> _told = [];

    /// <param name="operation">What was done: a short lower-case word.</param>
    /// <param name="path">Of what.</param>
    /// <param name="exception">Why.</param>
    public void Tell(string operation, string path, LogSinkException exception)
    {
        if (MissedSince(operation, exception.ErrorType) is not { } missed)
            return;
        string message = missed == 0 ? exception.Message
            : string.Create(CultureInfo.InvariantCulture, $"{exception.Message} ({missed} more since the last event)");
        events.FileError(operation, path, exception.ErrorType, message);
    }

    /// <returns>How many were not told since the last one that was; null: this one is not told either.</returns>
    private long? MissedSince(string operation, string errorType)
    {
        lock (_gate)
        {
            bool isKnown = _told.TryGetValue((operation, errorType), out Told last);
            if (isKnown && timeProvider.GetElapsedTime(last.At) < Pause)
            {
                _told[(operation, errorType)] = last with { Missed = last.Missed + 1 };
                return null;
            }

            _told[(operation, errorType)] = new Told(timeProvider.GetTimestamp(), 0);
            return last.Missed;
        }
    }

    private readonly record struct Told(long At, long Missed);
}
