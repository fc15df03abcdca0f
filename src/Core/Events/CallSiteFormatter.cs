using System.Diagnostics;

namespace AsyncLog;

/// <summary>Writes the records of one call in the code. Only time, values, trace and thread differ between them, so the rest can be rendered in advance.</summary>
/// <param name="writesScopes">True if scopes are part of the record: a call inside of one then gets an event.</param>
internal abstract class CallSiteFormatter(bool writesScopes)
{
    /// <summary>Returned by <see cref="Format"/> for a record that needs an event.</summary>
    protected const int NeedsEvent = -1;

    /// <summary>True if scopes are part of the record.</summary>
    internal bool WritesScopes { get; } = writesScopes;

    /// <summary>Writes the same bytes as <see cref="ILogFormatter.Format"/> does for an event. Runs on the thread that called the logger, for several threads at once. It must
    /// run no code of users: a record that would need some, and one that must be truncated, needs an event.</summary>
    /// <param name="call">The call; valid only during this method.</param>
    /// <param name="output">At least 4,096 bytes.</param>
    /// <returns>The bytes written; <see cref="NeedsEvent"/> for a record that needs an event: then the content of the output does not count.</returns>
    public abstract int Format(ref LogCall call, Span<byte> output);
}

/// <summary>One call of a logger as a <see cref="CallSiteFormatter"/> sees it.</summary>
internal ref struct LogCall
{
    private readonly StateValues _values;
    private readonly ref byte _state;
    private readonly FastPathPart[] _message;
    private TraceIds _trace;

    /// <param name="message">The message, compiled for the type of the state.</param>
    internal LogCall(StateValues values, ref byte state, FastPathPart[] message, int count, long utcTicks)
    {
        _values = values;
        _state = ref state;
        _message = message;
        Count = count;
        UtcTicks = utcTicks;
    }

    /// <summary>Time of the call, UTC, in units of 100 ns since the year 1.</summary>
    public long UtcTicks { get; }

    /// <summary>The number of values: one for each argument of the template.</summary>
    public int Count { get; }

    /// <summary>True if a W3C activity with non-zero ids is current.</summary>
    public bool HasTrace => _trace.Read();

    /// <summary>The trace id; default without <see cref="HasTrace"/>.</summary>
    public ActivityTraceId TraceId => _trace.Read() ? _trace.TraceId : default;

    /// <summary>The span id; default without <see cref="HasTrace"/>.</summary>
    public ActivitySpanId SpanId => _trace.Read() ? _trace.SpanId : default;

    /// <summary>The trace flags.</summary>
    public ActivityTraceFlags TraceFlags => _trace.Read() ? _trace.Flags : default;

    /// <summary>Reads a value.</summary>
    /// <param name="index">At least 0 and below <see cref="Count"/>; in the order of the template.</param>
    /// <param name="value">Has to be the default; gets the value.</param>
    public readonly void Read(int index, scoped ref LogValue value)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count);
        _values.Read(ref _state, index, ref value);
    }

    /// <summary>Writes the message, if each of its values has a text of printable ASCII that no code of users makes.</summary>
    /// <param name="output">Where to write; 128 bytes more than the message are enough.</param>
    /// <param name="written">The bytes written.</param>
    /// <returns>False where the message needs an event; then the content of the output does not count.</returns>
    public readonly bool TryWriteMessage(scoped Span<byte> output, out int written)
        => _values.WriteFast(ref _state, _message, 0, output, out written) == _message.Length;
}
