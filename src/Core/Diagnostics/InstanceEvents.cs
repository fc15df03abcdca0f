using System.Globalization;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>Writes the events of one sink instance to the EventSource <c>AsyncLog-Diagnostics</c>.</summary>
/// <param name="sink">The instance's name, for example <c>file/errors</c>.</param>
/// <param name="timeProvider">The clock of the once-a-minute limit.</param>
internal sealed class InstanceEvents(string sink, TimeProvider timeProvider) : SinkEvents
{
    // Protects the counts; events are raised outside.
    private readonly Lock _gate = new();
    private readonly OncePerMinute _failures = new(timeProvider);

    /// <inheritdoc/>
    protected override void Write(int id, params ReadOnlySpan<object?> payload) => Log.Write(id, sink, payload);

    /// <inheritdoc/>
    protected override void WriteFailure(int id, (string What, string ErrorType) kind, string? message, params ReadOnlySpan<object?> payload)
    {
        if (!Log.IsFailureEnabled(id) || MissedSince(string.Create(CultureInfo.InvariantCulture, $"{id}\0{kind.What}\0{kind.ErrorType}")) is not { } missed)
            return;
        if (message is not null && missed > 0)
            message = string.Create(CultureInfo.InvariantCulture, $"{message} ({missed} more since the last event)");
        Log.Write(id, sink, message is null ? payload : [.. payload, message]);
    }

    private long? MissedSince(string kind)
    {
        lock (_gate)
            return _failures.Count(kind);
    }
}
