using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>One call in the layouts Text, JSON and CLEF: what its records have in common is merged into the literals of its message template.</summary>
/// <param name="record">The constant text and the values, after what the layout begins with.</param>
/// <param name="start">The text before the time.</param>
/// <param name="time">What comes next; null: the record.</param>
/// <param name="style">The escapes of values in the message.</param>
internal sealed class TemplateCall(CallText record, byte[] start, TimestampFormat? time, EscapeStyle style, int maxRecordSize) : CallSiteFormatter
{
    private readonly FastRecord _fast = new(record, start, time);
    private readonly int _valueLimit = FormatScratch.LimitFor(maxRecordSize);
    private Attempts _attempts;

    /// <inheritdoc/>
    public override bool LacksScopes => HasScopes;

    /// <inheritdoc/>
    public override bool LacksTrace => HasTrace;

    public bool HasScopes { get; init; }

    public bool HasTrace { get; init; }

    /// <summary>True if the layout has another record for a text with an argument; the text is the only value.</summary>
    public bool RefusesArguments { get; init; }

    /// <inheritdoc/>
    public override ReadOnlySpan<byte> Format(scoped ref LogCall call)
    {
        if (RefusesArguments && HasArgument(in call))
            return default;
        if (_fast.IsComplete && _attempts.IsWorthTrying())
        {
            var scratch = call.Scratch;
            var isWritten = call.Values.TryWrite(_fast, ref call.State, call.UtcTicks, scratch.Timestamps, scratch.Output, out var length);
            _attempts.Count(isWritten);
            if (isWritten)
                return scratch.Output.AsSpan(0, length);
        }

        return FormatAny(ref call);
    }

    // Also what the loop above leaves: a null, text of any script, a format, a width, a long text.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private ReadOnlySpan<byte> FormatAny(scoped ref LogCall call)
    {
        var scratch = call.Scratch.Format;
        scratch.ValueLimit = _valueLimit;
        scratch.Errors = 0;
        var output = call.Scratch.Record;
        output.Reset(maxRecordSize);
        var writer = new Utf8Writer(output);
        writer.Write(start);
        time?.Write(ref writer, call.UtcTicks, scratch.Timestamps);
        if (!CallText.TryWrite(ref writer, record.Template.Parts, in call, style))
            return default;
        writer.Flush();
        return output.IsTruncated ? default : output.WrittenSpan;
    }

    private static bool HasArgument(ref readonly LogCall call)
    {
        LogValue text = default;
        call.Read(0, ref text);
        return text.String!.Contains('{', StringComparison.Ordinal);
    }
}
