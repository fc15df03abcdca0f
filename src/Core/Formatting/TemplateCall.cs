using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>One call in the layouts Text, JSON and CLEF: what its records have in common is merged into the literals of its message template.</summary>
/// <param name="start">The text before the time.</param>
/// <param name="time">What comes next; null: the record.</param>
/// <param name="style">The escapes of values in the message.</param>
/// <param name="outside">The record without activity and scopes: the constant text and the values, after what the layout begins with.</param>
internal sealed class TemplateCall(byte[] start, TimestampFormat? time, EscapeStyle style, int maxRecordSize, CallText outside) : CallSiteFormatter
{
    private readonly FastRecord _outside = new(outside, start, time);
    private readonly int _valueLimit = FormatScratch.LimitFor(maxRecordSize);
    private FastRecord? _inside;
    private MissCounter _misses;

    // The last names of scopes that were found to be no names of the call; a race loses one.
    private string[] _otherNames = [];

    /// <summary>The layout, if it has parts that depend on activity and scopes; null: each record is the one without them.</summary>
    public IContextLayout? Layout { get; init; }

    /// <summary>The record with the inserts of the layout.</summary>
    public CallText? Inside
    {
        init => _inside = value is null ? null : new FastRecord(value, start, time);
    }

    /// <summary>The names of the values, if a scope with one of them makes another record.</summary>
    public string[] Names { get; init; } = [];

    /// <summary>True if the layout has another record for a text with an argument; the text is the only value.</summary>
    public bool RefusesArguments { get; init; }

    /// <inheritdoc/>
    public override ReadOnlySpan<byte> Format(scoped ref LogCall call)
    {
        if (RefusesArguments && HasArgument(in call))
            return default;
        var record = _outside;
        if (Layout is not null)
        {
            if (call.FindContext(Layout) is not { } context)
                return default;
            if (!context.IsEmpty)
            {
                if (!AreOthers(context.Names))
                    return default;
                record = _inside!;
            }
        }

        if (record.IsComplete && _misses.IsWorthTrying())
        {
            var isWritten = record.TryWrite(in call, out var length);
            _misses.Count(isWritten);
            if (isWritten)
                return call.Scratch.Output.AsSpan(0, length);
        }

        return FormatAny(ref call, record.Text);
    }

    // Also what the loop above leaves: a null, text of any script, a format, a width, a long text.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private ReadOnlySpan<byte> FormatAny(scoped ref LogCall call, CallText record)
    {
        var scratch = call.Scratch.Format;
        scratch.ValueLimit = _valueLimit;
        scratch.Errors = 0;
        var output = call.Scratch.Record;
        output.Reset(maxRecordSize);
        var writer = new Utf8Writer(output);
        writer.Write(start);
        time?.Write(ref writer, call.UtcTicks, scratch.Timestamps);
        if (!CallText.TryWrite(ref writer, record.Template, in call, style))
            return default;
        writer.Flush();
        return output.IsTruncated ? default : output.WrittenSpan;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool AreOthers(string[] names) => Names.Length == 0 || ReferenceEquals(names, _otherNames) || Compare(names);

    private bool Compare(string[] names)
    {
        foreach (var name in names)
        {
            if (Array.IndexOf(Names, name) >= 0)
                return false;
        }

        _otherNames = names;
        return true;
    }

    private static bool HasArgument(ref readonly LogCall call)
    {
        LogValue text = default;
        call.Read(0, ref text);
        return text.String!.Contains('{', StringComparison.Ordinal);
    }
}
