using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>What one <c>Log</c> call said. Alive only during the call: a formatter must not keep it or anything it hands out.</summary>
/// <remarks>One object per thread (and depth of re-entrance), reused. Scopes, activity and the rendered message are captured when first
/// asked for, on the caller's thread, so nobody pays for what no formatter wants.</remarks>
public sealed partial class LogEvent
{
    /// <summary>When it was logged, UTC, to 100 ns.</summary>
    public DateTimeOffset Timestamp => throw null!;

    /// <summary>The level.</summary>
    public LogLevel Level => throw null!;

    /// <summary>The logger's category.</summary>
    public string Category => throw null!;

    /// <summary>The logger's category as UTF-8, unescaped.</summary>
    public ReadOnlySpan<byte> CategoryUtf8 => throw null!;

    /// <summary>The event id; its name may be null.</summary>
    public EventId EventId => throw null!;

    /// <summary>The message template (<c>{OriginalFormat}</c>), or null when the state has none.</summary>
    public string? MessageTemplate => throw null!;

    /// <summary>The formatted message as UTF-8, unescaped: character for character what MEL's formatter gives (an unpaired surrogate is U+FFFD).
    /// Rendered on first use; cut after 4 times the instances' largest <c>MaxRecordSize</c>, see <see cref="MessageLength"/>.</summary>
    public ReadOnlySpan<byte> Message => throw null!;

    /// <summary>The length of the whole message in bytes, also when <see cref="Message"/> was cut.</summary>
    public long MessageLength => throw null!;

    /// <summary>Whether the formatter gave null instead of a message.</summary>
    public bool IsMessageNull => throw null!;

    /// <summary>The state's properties in order, without the template and without null keys. Keys may repeat.</summary>
    public ReadOnlySpan<LogProperty> Properties => throw null!;

    /// <summary>The exception, or null. A buffered record has only <see cref="ExceptionText"/>.</summary>
    public Exception? Exception => throw null!;

    /// <summary>The exception's text (<c>ToString()</c>, bounded; <c>&lt;error: TypeName&gt;</c> when that throws), or null without exception.</summary>
    public string? ExceptionText => throw null!;

    /// <summary>The number of scopes, outermost first, without the host's activity scope; at most 128.</summary>
    public int ScopeCount => throw null!;

    /// <summary>One scope.</summary>
    /// <param name="index">0 is the outermost.</param>
    public LogScope GetScope(int index) => throw null!;

    /// <summary>Whether a W3C activity with non-zero ids was current.</summary>
    public bool HasTrace => throw null!;

    /// <summary>The trace id; default without <see cref="HasTrace"/>.</summary>
    public ActivityTraceId TraceId => throw null!;

    /// <summary>The span id; default without <see cref="HasTrace"/>.</summary>
    public ActivitySpanId SpanId => throw null!;

    /// <summary>The trace flags.</summary>
    public ActivityTraceFlags TraceFlags => throw null!;

    /// <summary>The managed id of the logging thread.</summary>
    public int ThreadId => throw null!;

    /// <summary>What formatters of this thread reuse.</summary>
    internal FormatScratch Scratch { get; } = new();

    /// <summary>Whether the formatter cut the record to its limit.</summary>
    internal bool WasCut { get; set; }
}
