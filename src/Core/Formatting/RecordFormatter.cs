using System.Buffers;

namespace AsyncLog;

/// <summary>The base of the library's own formatters: renders into a <see cref="RecordBuffer"/>, and renders a record that is too long again, truncated.</summary>
internal abstract class RecordFormatter(int maxRecordSize) : ILogFormatter
{
    private readonly int _valueLimit = FormatScratch.LimitFor(maxRecordSize);

    /// <summary>The maximum number of bytes of a record.</summary>
    protected int MaxRecordSize { get; } = maxRecordSize;

    public void Format(LogEvent logEvent, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(logEvent);
        ArgumentNullException.ThrowIfNull(output);
        var scratch = logEvent.Scratch;
        scratch.ValueLimit = _valueLimit;
        scratch.Errors = 0;
        if (output is RecordBuffer buffer)
        {
            Format(logEvent, buffer, scratch);
            return;
        }
        buffer = scratch.Output;
        buffer.Reset(scratch.ValueLimit);
        Format(logEvent, buffer, scratch);
        output.Write(buffer.WrittenSpan);
    }

    /// <summary>Appends the whole record.</summary>
    protected abstract void Render(LogEvent logEvent, RecordBuffer output, FormatScratch scratch);

    /// <summary>Appends the record within the limit and sets <see cref="LogEvent.WasTruncated"/> if anything is missing.</summary>
    /// <param name="length">The bytes that <see cref="Render"/> wrote.</param>
    /// <param name="isWhole">True if these are all of its bytes.</param>
    protected abstract void RenderTruncated(LogEvent logEvent, RecordBuffer output, FormatScratch scratch, long length, bool isWhole);

    private void Format(LogEvent logEvent, RecordBuffer output, FormatScratch scratch)
    {
        var start = output.Length;
        var before = output.Total;
        logEvent.WasTruncated = false;
        Render(logEvent, output, scratch);
        logEvent.RenderErrors += scratch.Errors;
        var length = output.Total - before;
        if (length <= MaxRecordSize && !output.IsTruncated)
            return;
        // Values are rendered again; one that throws still counts as one error.
        var errors = logEvent.RenderErrors;
        var isWhole = !output.IsTruncated && logEvent.MessageLength == logEvent.Message.Length;
        output.Rewind(start);
        RenderTruncated(logEvent, output, scratch, length, isWhole);
        logEvent.RenderErrors = errors;
    }
}
