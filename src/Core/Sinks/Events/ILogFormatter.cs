using System.Buffers;

namespace AsyncLog;

/// <summary>Turns an event into the final bytes of one record.</summary>
/// <remarks>
/// Runs on the thread that called the logger, for one event at a time per thread, and for several threads at once. It must not keep
/// the event or anything it hands out. What it throws becomes a placeholder record and is counted in
/// <c>asynclog.sink.render_errors</c>; the caller of the logger never sees it.
/// </remarks>
public interface ILogFormatter
{
    /// <summary>Appends the final bytes of one record, line end or framing included.</summary>
    /// <param name="logEvent">The event; valid only during this call.</param>
    /// <param name="output">Where the bytes go. More than the instance's <c>MaxRecordSize</c> is answered with a placeholder record.</param>
    void Format(LogEvent logEvent, IBufferWriter<byte> output);
}
