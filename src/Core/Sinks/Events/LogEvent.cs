using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>What one <c>Log</c> call said. Alive only during the call: a formatter must not keep it or anything it hands out.</summary>
/// <remarks>One object per thread (and depth of re-entrance), reused. Scopes, activity and the rendered message are captured when first
/// asked for, on the caller's thread, so nobody pays for what no formatter wants.</remarks>
public sealed class LogEvent
{
    private readonly EventMessage _message = new();
    private long _utcTicks;
    private LastFault _fault;
    private LogCategory _category = LogCategory.None;
    private LazyState _lazy;
    private Exception? _exception;
    private string? _exceptionText;
    private ExceptionParts? _exceptionParts;
    private PropertyList? _allState;
    private string? _messageTemplate;
    private string? _eventName;
    private int _eventNumber;
    private TraceIds _trace;
    private int _threadId;

    internal LogEvent()
    {
    }

    /// <summary>When it was logged, UTC, to 100 ns.</summary>
    public DateTimeOffset Timestamp => new(_utcTicks, TimeSpan.Zero);

    /// <summary>The level.</summary>
    public LogLevel Level { get; private set; }

    /// <summary>The logger's category.</summary>
    public string Category => _category.Name;

    /// <summary>The logger's category as UTF-8, unescaped.</summary>
    public ReadOnlySpan<byte> CategoryUtf8 => _category.Utf8;

    /// <summary>The event id; its name may be null.</summary>
    public EventId EventId => new(_eventNumber, _eventName);

    /// <summary>The message template (<c>{OriginalFormat}</c>), or null when the state has none.</summary>
    public string? MessageTemplate => _lazy.IsEmpty ? _messageTemplate : _lazy.Template.Text;

    /// <summary>The formatted message as UTF-8, unescaped: character for character what MEL's formatter gives (an unpaired surrogate is U+FFFD).
    /// Rendered on first use; cut after 4 times the instances' largest <c>MaxRecordSize</c>, see <see cref="MessageLength"/>.</summary>
    public ReadOnlySpan<byte> Message => _message.GetUtf8(this);

    /// <summary>The length of the whole message in bytes, also when <see cref="Message"/> was cut.</summary>
    public long MessageLength => _message.GetTotal(this);

    /// <summary>Whether the formatter gave null instead of a message.</summary>
    public bool IsMessageNull => _message.IsNull;

    /// <summary>The state's properties in order, without the template and without null keys. Keys may repeat.</summary>
    public ReadOnlySpan<LogProperty> Properties
    {
        get
        {
            if (!_lazy.IsEmpty)
                ReadLazyState();
            return State.Items;
        }
    }

    /// <summary>As <see cref="Properties"/>, and in their places those that <see cref="ExceptionText"/> is made of: for formats in which they are attributes of their own.</summary>
    public ReadOnlySpan<LogProperty> AllProperties => _exceptionParts is null ? Properties : _allState!.Items;

    /// <summary>The exception, or null. A buffered record has only <see cref="ExceptionText"/>.</summary>
    public Exception? Exception => _exception;

    /// <summary>The exception's text (<c>ToString()</c>, bounded; <c>&lt;error: TypeName&gt;</c> when that throws), or null without exception.</summary>
    /// <remarks>Where properties of the event are named <c>exception.type</c>, <c>exception.message</c> or <c>exception.stacktrace</c>, as enrichment of Microsoft.Extensions.Telemetry
    /// names them, the text is made of these, and they are no <see cref="Properties"/>.</remarks>
    public string? ExceptionText => _exceptionText ??= _exceptionParts is { } parts ? parts.Text(_exception, this)
        : _exception is null ? null : AsyncLog.ExceptionText.Of(_exception, this);

    /// <summary>The full name of the exception's type; null without exception, or where only the text of a buffered record is known.</summary>
    public string? ExceptionType => _exceptionParts?.Type ?? (_exception?.GetType() is { } type ? type.FullName ?? type.Name : null);

    /// <summary>The exception's message, bounded where those of thousands inside make it up; null as for <see cref="ExceptionType"/>.</summary>
    public string? ExceptionMessage => _exceptionParts?.Message ?? (_exception is null ? null : AsyncLog.ExceptionText.MessageOf(_exception, this));

    /// <summary>The property <c>exception.stacktrace</c> of the event, else the exception's <c>ToString()</c>, bounded, else the text of a buffered record, else null.</summary>
    public string? ExceptionStackTrace => _exceptionParts is not { } parts ? ExceptionText
        : parts.StackTrace ?? (_exception is null ? null : AsyncLog.ExceptionText.Of(_exception, this));

    /// <summary>The number of scopes, outermost first, at most 128: of more, a text stands for the outer ones. The ids of the activity that the host's tracking adds
    /// are no scope while <see cref="HasTrace"/>.</summary>
    public int ScopeCount => Scopes.GetCount(this);

    /// <summary>Whether a W3C activity with non-zero ids was current.</summary>
    public bool HasTrace => _trace.Read();

    /// <summary>The trace id; default without <see cref="HasTrace"/>.</summary>
    public ActivityTraceId TraceId => _trace.Read() ? _trace.TraceId : default;

    /// <summary>The span id; default without <see cref="HasTrace"/>.</summary>
    public ActivitySpanId SpanId => _trace.Read() ? _trace.SpanId : default;

    /// <summary>The trace flags.</summary>
    public ActivityTraceFlags TraceFlags => _trace.Read() ? _trace.Flags : default;

    /// <summary>The managed id of the logging thread.</summary>
    public int ThreadId => _threadId != 0 ? _threadId : _threadId = Environment.CurrentManagedThreadId;

    /// <summary>The most bytes of the record that a formatter may write for this event; a longer one is replaced by an error record.</summary>
    /// <value>The instance's option <c>MaxRecordSize</c>.</value>
    public int MaxRecordSize { get; internal set; } = 64 << 10;

    /// <summary>Whether the formatter truncated a text to keep within its limit. Set by formatters; counts the record as truncated.</summary>
    /// <value>False before each formatter.</value>
    public bool WasTruncated { get; set; }

    /// <summary>How many properties the formatter left out to keep within its limit. Set by formatters; added up in the instance's books.</summary>
    /// <value>0 before each formatter.</value>
    public int PropertiesLeftOut { get; set; }

    /// <summary>How many placeholders stand for what user code did not give. A formatter that renders twice sets it back to what it was after the first time.</summary>
    public int RenderErrors { get; set; }

    /// <summary>When it was logged, in ticks of UTC.</summary>
    internal long UtcTicks => _utcTicks;

    /// <summary>The type of the exception behind the last placeholder; null where it is not known.</summary>
    internal string? RenderFault => _fault.TypeAt(_utcTicks);

    /// <summary>The most bytes of the message that are stored.</summary>
    internal int MessageLimit { get; private set; }

    /// <summary>Whether one layout only is rendered, so that the message may be written where it goes instead of being kept.</summary>
    internal bool IsRenderedOnce { get; set; }

    internal LogCategory CategoryInfo => _category;

    /// <summary>Whether there is an exception, or the text of one.</summary>
    internal bool HasException => _exception is not null || _exceptionText is not null || _exceptionParts is not null;

    /// <summary>The names of the properties while they are not captured, else null.</summary>
    internal string[]? LazyNames => _lazy.IsEmpty ? null : _lazy.Template.Names;

    internal PropertyList State { get; } = new();

    /// <summary>Memory that formatters reuse from record to record on this thread.</summary>
    [Experimental("ASYNCLOG001")]
    public FormatScratch Scratch { get; } = new();

    internal ScopeList Scopes { get; } = new();

    internal IExternalScopeProvider? ScopeProvider { get; private set; }

    /// <summary>One scope.</summary>
    /// <param name="index">0 is the outermost.</param>
    public LogScope GetScope(int index) => Scopes.Get(index, this);

    /// <summary>The text of a value as UTF-8, unescaped and in the invariant culture, as in the library's own layouts: <c>&lt;error: TypeName&gt;</c> where its type throws.</summary>
    /// <param name="value">A value of this event.</param>
    /// <param name="length">The bytes that are wanted; what is far longer is not rendered to its end.</param>
    /// <returns>At least <paramref name="length"/> bytes of the text or all of it, whole characters; valid until the next call, also of one with a template.</returns>
    public ReadOnlySpan<byte> GetText(in LogValue value, int length)
    {
        Scratch.Want(length);
        var output = Scratch.NewValue();
        ValueText.Append(value, output, Scratch);
        RenderErrors += Scratch.Errors;
        return output.WrittenRunes;
    }

    /// <summary>The text that a template gives for this event as UTF-8, unescaped.</summary>
    /// <param name="template">The template.</param>
    /// <param name="length">The bytes that are wanted; what is far longer is not rendered to its end.</param>
    /// <returns>At least <paramref name="length"/> bytes of the text or all of it, whole characters; valid until the next call with a template.</returns>
    public ReadOnlySpan<byte> GetText(LogTemplate template, int length)
    {
        ArgumentNullException.ThrowIfNull(template);
        Scratch.Want(length);
        var output = template.Render(this, Scratch);
        RenderErrors += Scratch.Errors;
        return output.WrittenRunes;
    }

    /// <summary>Counts a placeholder that a formatter wrote for what user code did not give (<c>asynclog.sink.render_errors</c>).</summary>
    public void CountRenderError() => RenderErrors++;

    /// <summary>The same for what threw.</summary>
    internal void CountRenderError(Exception fault)
    {
        RenderErrors++;
        _fault.Set(fault, _utcTicks);
    }

    /// <summary>Starts an event; a state reader or <c>BufferedEvents</c> fills it.</summary>
    internal void Begin(
        long utcTicks, LogLevel level, LogCategory category, EventId id, Exception? exception, IExternalScopeProvider? scopes, int messageLimit)
    {
        _utcTicks = utcTicks;
        Level = level;
        _eventNumber = id.Id;
        MessageLimit = messageLimit;
        WasTruncated = false;
        PropertiesLeftOut = 0;
        IsRenderedOnce = false;
        RenderErrors = 0;
        _message.Begin(messageLimit);
        // Storing a reference in an old object costs more than looking whether it is there already.
        if (!ReferenceEquals(_category, category))
            _category = category;
        if (!ReferenceEquals(ScopeProvider, scopes))
            ScopeProvider = scopes;
        if (id.Name is not null)
            _eventName = id.Name;
        if (exception is not null)
            _exception = exception;
    }

    /// <summary>Sets the template's text; null when the state has none.</summary>
    internal void SetMessageTemplate(string? text) => _messageTemplate = text;

    /// <summary>Sets values that are read when somebody asks for them, and the template whose text and names go with them.</summary>
    internal void SetState(ref byte state, StateLayout layout, MessageTemplate template) => _lazy.Set(ref state, layout, template);

    /// <summary>Sets what the formatter said.</summary>
    internal void SetMessage(string? text) => _message.SetText(text);

    /// <summary>Renders the message to where it goes, without keeping it; false when it is kept already, or may be asked for again.</summary>
    internal bool TryWriteMessage(ref Utf8Writer writer) => IsRenderedOnce && _message.TryWrite(ref writer, this);

    /// <summary>Keeps a message that was written and has to be written in another way.</summary>
    internal void KeepMessage(ReadOnlySpan<byte> utf8) => _message.Keep(utf8);

    /// <summary>The values for the template's holes.</summary>
    internal HoleValues GetHoleValues() => _lazy.IsEmpty ? new HoleValues(State.Items) : new HoleValues(ref _lazy);

    /// <summary>Lets the message be rendered from a template and the properties, one for each hole.</summary>
    internal void SetMessage(MessageTemplate template) => _message.SetTemplate(template);

    /// <summary>Sets what a buffered record brought instead of the thread's own.</summary>
    internal void SetBuffered(string? exceptionText, ActivityTraceId? traceId, ActivitySpanId? spanId, int? threadId)
    {
        // Microsoft.Extensions.Telemetry buffers no exception as an empty one.
        _exceptionText = string.IsNullOrEmpty(exceptionText) ? null : exceptionText;
        _trace.Set(traceId, spanId);
        _threadId = threadId ?? 0;
    }

    /// <summary>Lets what enrichment or a buffer wrote about the exception into the properties stand for the exception; it is no property then.</summary>
    internal void TakeExceptionAttributes()
    {
        _exceptionParts = ExceptionParts.Read(State);
        if (_exceptionParts is null)
            return;
        _allState ??= new PropertyList();
        _allState.Clear();
        foreach (ref readonly var property in State.Items)
            _allState.Add(property.Name, property.ValueRef);
        ExceptionParts.RemoveFrom(State);
        if (_exceptionText is null)
            return;
        // The text of a buffered record is the message, and the attributes win.
        _exceptionParts.Message ??= _exceptionText;
        _exceptionText = null;
    }

    /// <summary>Ends the event: nothing of the caller's is kept.</summary>
    internal void End()
    {
        _message.End();
        _lazy.Clear();
        State.Clear();
        Scopes.End();
        _messageTemplate = null;
        _eventName = null;
        _exception = null;
        _exceptionText = null;
        _exceptionParts = null;
        _allState?.Clear();
        _threadId = 0;
        if (_trace.IsKnown)
            _trace = default;
    }

    private void ReadLazyState()
    {
        _messageTemplate = _lazy.Template.Text;
        _lazy.ReadAll(State);
        _lazy.Clear();
    }
}
