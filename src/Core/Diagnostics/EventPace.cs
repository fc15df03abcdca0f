using System.Globalization;

namespace AsyncLog;

/// <summary>Which failures are told as events: the first of its kind at once, then at most one a minute with the count since. Any thread.</summary>
internal sealed class EventPace(TimeProvider timeProvider)
{
    private const int MostKinds = 256;
    private static readonly TimeSpan Pause = TimeSpan.FromMinutes(1);

    // Protects the dictionary; events are raised outside.
    private readonly Lock _gate = new();
    private readonly Dictionary<(string Event, string What, string ErrorType), Told> _told = [];

    /// <summary>The message to tell; null when it is too early for another one.</summary>
    /// <param name="name">The event.</param>
    /// <param name="what">What was done, or to whom.</param>
    /// <param name="errorType">The class of the error.</param>
    /// <param name="message">What happened this time.</param>
    public string? Message(string name, string what, string errorType, string message) => MissedSince((name, what, errorType)) switch
    {
        null => null,
        0 => message,
        { } missed => string.Create(CultureInfo.InvariantCulture, $"{message} ({missed} more since the last event)"),
    };

    // How many were not told since the last one that was; null: this one is not told either.
    private long? MissedSince((string, string, string) kind)
    {
        lock (_gate)
        {
            var isKnown = _told.TryGetValue(kind, out var last);
            if (isKnown && timeProvider.GetElapsedTime(last.At) < Pause)
            {
                _told[kind] = last with { Missed = last.Missed + 1 };
                return null;
            }

            // Endpoints come and go; what is forgotten is told once more than it should be.
            if (!isKnown && _told.Count >= MostKinds)
                _told.Clear();
            _told[kind] = new Told(timeProvider.GetTimestamp(), 0);
            return last.Missed;
        }
    }

    private readonly record struct Told(long At, long Missed);
}
