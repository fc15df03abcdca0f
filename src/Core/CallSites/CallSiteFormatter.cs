using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Writes the records of one call in the code without an event. Only time, values, activity, scopes and thread differ between them, so the rest can be rendered in advance.</summary>
internal abstract class CallSiteFormatter
{
    /// <summary>Writes the same bytes as <see cref="ILogFormatter.Format"/> does for an event. Runs on the thread that called the logger, for several threads at once. It must
    /// run no code of users: a record that would need some, and one that must be truncated, needs an event.</summary>
    /// <param name="call">The call; valid only during this method.</param>
    /// <returns>The record, in the memory of the call; empty: it needs an event.</returns>
    public abstract ReadOnlySpan<byte> Format(scoped ref LogCall call);
}

/// <summary>One call of a logger as a <see cref="CallSiteFormatter"/> sees it.</summary>
internal ref struct LogCall
{
    private readonly ref byte _state;
    private readonly IExternalScopeProvider? _scopes;
    private TraceIds _trace;

    /// <param name="values">Reads the values of the state.</param>
    /// <param name="scopes">The scopes of the factory; null for none.</param>
    public LogCall(StateValues values, ref byte state, long utcTicks, IExternalScopeProvider? scopes, CallScratch scratch)
    {
        _scopes = scopes;
        Values = values;
        _state = ref state;
        UtcTicks = utcTicks;
        Scratch = scratch;
    }

    /// <summary>Reads the values of the state.</summary>
    public StateValues Values { get; }

    /// <summary>The first byte of the state.</summary>
    public readonly ref byte State => ref _state;

    /// <summary>Time of the call, UTC, in units of 100 ns since the year 1.</summary>
    public long UtcTicks { get; }

    /// <summary>The memory of the thread.</summary>
    public CallScratch Scratch { get; }

    /// <summary>What activity and scopes give in the layout of the record, once it was found; null: they are not part of it.</summary>
    public ContextText? Context { get; private set; }

    /// <summary>True if a W3C activity with non-zero ids is current.</summary>
    public bool HasTrace => _trace.Read();

    /// <summary>The trace id; default without <see cref="HasTrace"/>.</summary>
    public ActivityTraceId TraceId => _trace.Read() ? _trace.TraceId : default;

    /// <summary>The span id; default without <see cref="HasTrace"/>.</summary>
    public ActivitySpanId SpanId => _trace.Read() ? _trace.SpanId : default;

    /// <summary>The trace flags.</summary>
    public ActivityTraceFlags TraceFlags => _trace.Read() ? _trace.Flags : default;

    /// <summary>Finds what activity and scopes give in a layout; null: the record needs an event.</summary>
    public ContextText? FindContext(IContextLayout layout) => Context = Scratch.Contexts.Find(layout, _scopes);

    /// <summary>Reads a value.</summary>
    /// <param name="index">The argument of the template.</param>
    /// <param name="value">Has to be the default; gets the value.</param>
    public readonly void Read(int index, scoped ref LogValue value) => Values.Read(ref _state, index, ref value);
}

/// <summary>The memory of one thread for records that have no event.</summary>
internal sealed class CallScratch
{
    private const int OutputBytes = 4096;

    public CallScratch()
    {
        Format = new FormatScratch();
        Record = new RecordBuffer(Format.Mark);
        Contexts = new ContextTexts();
    }

    /// <summary>Where short records are written.</summary>
    public byte[] Output { get; } = new byte[OutputBytes];

    /// <summary>Where others are written.</summary>
    public RecordBuffer Record { get; }

    /// <summary>What the values of others need.</summary>
    public FormatScratch Format { get; }

    public TimestampCache Timestamps => Format.Timestamps;

    /// <summary>What activity and scopes give.</summary>
    public ContextTexts Contexts { get; }

    /// <summary>The event that reads scopes, and the first one of the thread.</summary>
    public LogEvent Event => Contexts.Event;

    /// <summary>Frees memory far beyond the usual size. Allocates nothing.</summary>
    public void Trim()
    {
        if (!Format.Mark.IsSet)
            return;
        Format.Clean();
        Record.Trim(CleanMark.Keep);
    }
}
