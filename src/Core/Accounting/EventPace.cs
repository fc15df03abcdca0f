using System.Globalization;

namespace AsyncLog;

/// <summary>Which failures are told as events: the first of its kind at once, then at most one a minute with the count since. Any thread.</summary>
internal sealed class EventPace(TimeProvider timeProvider)
{
    // Protects the counts; events are raised outside.
    private readonly Lock _gate = new();
    private readonly OncePerMinute<(string Event, string What, string ErrorType)> _told = new(timeProvider);

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

    private long? MissedSince((string, string, string) kind)
    {
        lock (_gate)
            return _told.Count(kind);
    }
}
