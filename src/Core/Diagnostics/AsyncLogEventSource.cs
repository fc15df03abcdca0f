using System.Diagnostics.Tracing;

namespace AsyncLog;

/// <summary>Events about AsyncLog itself for <c>dotnet-trace</c>, <c>dotnet-monitor</c> and listeners. Ids never change. No payload holds message texts,
/// property values, headers or credentials; a sink is named by its instance.</summary>
[EventSource(Name = SourceName)]
internal sealed class AsyncLogEventSource : EventSource
{
    public const string SourceName = "AsyncLog-Diagnostics";

    // Reserved: 13 (DuplicateExportSuspected) and 35 (FallbackUsed) were published once and are not written any more.
    public static readonly AsyncLogEventSource Log = new();

    private AsyncLogEventSource()
    {
    }

    [Event(1, Level = EventLevel.Informational, Keywords = Keywords.Lifecycle)]
    public void SinkStarted(string sink, string target, string format, string bounds) => WriteEvent(1, (EventSourcePrimitive)sink, target, format, bounds);

    [Event(2, Level = EventLevel.Informational, Keywords = Keywords.Lifecycle)]
    public void SinkStopped(string sink, long written, long dropped, long drainMs) => WriteEvent(2, (EventSourcePrimitive)sink, written, dropped, drainMs);

    [Event(3, Level = EventLevel.Warning, Keywords = Keywords.Lifecycle)]
    public void ShutdownTimedOut(string sink, long left) => WriteEvent(3, (EventSourcePrimitive)sink, left);

    [Event(4, Level = EventLevel.Warning, Keywords = Keywords.Lifecycle)]
    public void SinkStateChanged(string sink, string from, string to, string reason) => WriteEvent(4, (EventSourcePrimitive)sink, from, to, reason);

    [Event(5, Level = EventLevel.Error, Keywords = Keywords.Lifecycle)]
    public void WorkerRestarted(string sink, string exceptionType) => WriteEvent(5, (EventSourcePrimitive)sink, exceptionType);

    [Event(10, Level = EventLevel.Informational, Keywords = Keywords.Config)]
    public void ConfigurationApplied(string sink, string changedKeys) => WriteEvent(10, (EventSourcePrimitive)sink, changedKeys);

    [Event(11, Level = EventLevel.Error, Keywords = Keywords.Config)]
    public void ConfigurationRejected(string key, string message, bool keptLastGood) => WriteEvent(11, (EventSourcePrimitive)key, message, keptLastGood);

    [Event(12, Level = EventLevel.Warning, Keywords = Keywords.Config)]
    public void UnknownConfigurationKey(string key, string suggestion) => WriteEvent(12, (EventSourcePrimitive)key, suggestion);

    [Event(20, Level = EventLevel.Warning, Keywords = Keywords.Queue)]
    public void DropsStarted(string sink, string reason) => WriteEvent(20, (EventSourcePrimitive)sink, reason);

    [Event(21, Level = EventLevel.Warning, Keywords = Keywords.Queue)]
    public void DropsEnded(string sink, string reason, long count, string firstUtc, string lastUtc)
        => WriteEvent(21, (EventSourcePrimitive)sink, reason, count, firstUtc, lastUtc);

    [Event(22, Level = EventLevel.Informational, Keywords = Keywords.Queue)]
    public void QueueHighWater(string sink, int percent) => WriteEvent(22, (EventSourcePrimitive)sink, percent);

    [Event(23, Level = EventLevel.Verbose, Keywords = Keywords.Queue)]
    public void CallerBlocked(string sink, long ms) => WriteEvent(23, (EventSourcePrimitive)sink, ms);

    [Event(24, Level = EventLevel.Warning, Keywords = Keywords.Queue)]
    public void SpoolStarted(string sink, string directory) => WriteEvent(24, (EventSourcePrimitive)sink, directory);

    [Event(25, Level = EventLevel.Informational, Keywords = Keywords.Queue)]
    public void SpoolDrained(string sink, long sent) => WriteEvent(25, (EventSourcePrimitive)sink, sent);

    [Event(26, Level = EventLevel.Warning, Keywords = Keywords.Lifecycle)]
    public void CrashRecovered(string sink, long records, long processId) => WriteEvent(26, (EventSourcePrimitive)sink, records, processId);

    [Event(30, Level = EventLevel.Informational, Keywords = Keywords.File)]
    public void FileOpened(string sink, string path, long length) => WriteEvent(30, (EventSourcePrimitive)sink, path, length);

    [Event(31, Level = EventLevel.Informational, Keywords = Keywords.File)]
    public void FileRolled(string sink, string from, string to, string reason) => WriteEvent(31, (EventSourcePrimitive)sink, from, to, reason);

    [Event(32, Level = EventLevel.Informational, Keywords = Keywords.File)]
    public void FileDeleted(string sink, string path, string reason) => WriteEvent(32, (EventSourcePrimitive)sink, path, reason);

    [Event(33, Level = EventLevel.Informational, Keywords = Keywords.File)]
    public void FileReopened(string sink, string cause) => WriteEvent(33, (EventSourcePrimitive)sink, cause);

    [Event(34, Level = EventLevel.Error, Keywords = Keywords.File)]
    public void FileError(string sink, string operation, string path, string errorType, string message)
        => WriteEvent(34, (EventSourcePrimitive)sink, operation, path, errorType, message);

    [Event(36, Level = EventLevel.Warning, Keywords = Keywords.File)]
    public void DiskLow(string sink, long freeBytes, long minimumBytes) => WriteEvent(36, (EventSourcePrimitive)sink, freeBytes, minimumBytes);

    [Event(37, Level = EventLevel.Informational, Keywords = Keywords.File)]
    public void DiskRecovered(string sink, long freeBytes) => WriteEvent(37, (EventSourcePrimitive)sink, freeBytes);

    [Event(40, Level = EventLevel.Informational, Keywords = Keywords.Network)]
    public void Connected(string sink, string endpoint, string tlsProtocol) => WriteEvent(40, (EventSourcePrimitive)sink, endpoint, tlsProtocol);

    [Event(41, Level = EventLevel.Warning, Keywords = Keywords.Network)]
    public void ConnectionLost(string sink, string endpoint, string errorType) => WriteEvent(41, (EventSourcePrimitive)sink, endpoint, errorType);

    [Event(42, Level = EventLevel.Verbose, Keywords = Keywords.Network)]
    public void RetryScheduled(string sink, int attempt, long delayMs) => WriteEvent(42, (EventSourcePrimitive)sink, attempt, delayMs);

    [Event(43, Level = EventLevel.Error, Keywords = Keywords.Network)]
    public void BatchRejected(string sink, string status, long rejected, string message) => WriteEvent(43, (EventSourcePrimitive)sink, status, rejected, message);

    [Event(44, Level = EventLevel.Error, Keywords = Keywords.Network)]
    public void TlsFailed(string sink, string endpoint, string policyErrors) => WriteEvent(44, (EventSourcePrimitive)sink, endpoint, policyErrors);

    [Event(50, Level = EventLevel.Verbose, Keywords = Keywords.Render)]
    public void RecordTruncated(string sink, long bytes, long limit) => WriteEvent(50, (EventSourcePrimitive)sink, bytes, limit);

    [Event(51, Level = EventLevel.Error, Keywords = Keywords.Render)]
    public void RenderFailed(string category, int eventId, string exceptionType) => WriteEvent(51, (EventSourcePrimitive)category, eventId, exceptionType);

    [Event(52, Level = EventLevel.Verbose, Keywords = Keywords.Render)]
    public void StateNotMeasured(string type, string reason) => WriteEvent(52, (EventSourcePrimitive)type, reason);

    /// <summary>Keywords that a listener can enable separately.</summary>
    public static class Keywords
    {
        public const EventKeywords Lifecycle = (EventKeywords)0x1;
        public const EventKeywords Config = (EventKeywords)0x2;
        public const EventKeywords Queue = (EventKeywords)0x4;
        public const EventKeywords File = (EventKeywords)0x8;
        public const EventKeywords Network = (EventKeywords)0x10;
        public const EventKeywords Render = (EventKeywords)0x20;
    }

    /// <summary>Returns true if a listener takes a sink's failure event: 34, 41, 43, 44.</summary>
    [NonEvent]
    internal bool IsFailureEnabled(int id) => IsEnabled(id == 41 ? EventLevel.Warning : EventLevel.Error, id < 40 ? Keywords.File : Keywords.Network);

    /// <summary>Writes one of the events above by its number.</summary>
    [NonEvent]
    internal void Write(int id, string sink, ReadOnlySpan<object?> payload)
    {
        if (!IsEnabled())
            return;
        var values = new EventSourcePrimitive[payload.Length + 1];
        values[0] = sink;
        for (var i = 0; i < payload.Length; i++)
            values[i + 1] = payload[i] is long number ? number : (EventSourcePrimitive)(string?)payload[i];
        WriteEvent(id, values);
    }
}
