using System.Buffers;
using System.Text;

namespace AsyncLog.Sinks;

/// <summary>Turns an event into the final bytes of one record.</summary>
/// <remarks>
/// Runs on the thread that called the logger, for one event at a time per thread, and for several threads at once. It must not keep
/// the event or anything it hands out. An exception is counted in <c>asynclog.sink.render_errors</c> and answered with an error record;
/// the caller of the logger never sees it.
/// </remarks>
public interface ILogFormatter
{
    /// <summary>Appends the final bytes of one record, line end or framing included.</summary>
    /// <param name="logEvent">The event; valid only during this call.</param>
    /// <param name="output">The destination. A record of more than <see cref="LogEvent.MaxRecordSize"/> bytes, or of none, is replaced by an error record.</param>
    void Format(LogEvent logEvent, IBufferWriter<byte> output);

    /// <summary>Appends the error record that takes the place of one that <see cref="Format"/> could not write. By default the error and a line feed.</summary>
    /// <remarks>Implement it if a line of text is not a valid record: in JSON, with framing, in a binary format. If it throws too, or writes too much or nothing,
    /// the record is the line of text.</remarks>
    /// <param name="logEvent">The event; user code behind its values may be what failed.</param>
    /// <param name="error">The error in angle brackets, as in <c>&lt;error formatting record: System.IO.IOException&gt;</c>.</param>
    /// <param name="output">The destination; nothing of the failed record is in it.</param>
    void FormatError(LogEvent logEvent, string error, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        Encoding.UTF8.GetBytes(error, output);
        output.Write("\n"u8);
    }
}
