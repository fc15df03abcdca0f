namespace AsyncLog;

/// <summary>A whole record of one call in the code: everything except time, values and inserts is rendered in advance.</summary>
/// <param name="record">The constant text and the values, after what the layout begins with.</param>
/// <param name="start">The text before the time.</param>
/// <param name="time">What comes next; null: the parts.</param>
internal sealed class FastRecord(CallText record, byte[] start, TimestampFormat? time)
{
    private readonly FastPathPart[] _parts = record.Parts;
    private readonly bool _copies = Array.Exists(record.Parts, static part => part.Place != 0);
    private readonly bool _hasInserts = Array.Exists(record.Parts, static part => part.Kind == FastPathKind.Insert);

    /// <summary>True if no part has a value that is never written in place.</summary>
    public bool IsComplete { get; } = !Array.Exists(record.Parts, static part => part.Kind == FastPathKind.Other);

    public CallText Text => record;

    /// <summary>Writes a record if all of its values are written in place; else the content of the output is undefined. Runs no user code.</summary>
    public bool TryWrite(ref readonly LogCall call, out int written)
    {
        var scratch = call.Scratch;
        Span<byte> output = scratch.Output;
        written = 0;
        start.CopyTo(output);
        var used = start.Length;
        if (time is not null)
        {
            var length = time.TryWrite(output[used..], call.UtcTicks, scratch.Timestamps);
            if (length < 0)
                return false;
            used += length;
        }

        var rest = output[used..];
        var values = call.Values;
        var isWhole = _hasInserts ? values.TryWriteInserting(ref call.State, _parts, call.Context!, rest, out written)
            : _copies ? values.TryWriteCopying(ref call.State, _parts, rest, out written)
            : values.WriteFast(ref call.State, _parts, 0, rest, out written) == _parts.Length;
        written += used;
        return isWhole;
    }
}
