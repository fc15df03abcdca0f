using System.Collections;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog.Sinks;

/// <summary>One <c>Log</c> call as a formatter sees it. Valid only during the call: a formatter must not keep it, or a reference obtained from it.</summary>
/// <remarks>One object per thread (and depth of re-entrance), reused. Scopes, activity and the rendered message are captured on first use,
/// on the caller's thread: a formatter that does not use them costs nothing.</remarks>
public sealed class LogEvent
{
    private const int KeptMessageBytes = 64 * 1024;
    private const int KeptRecordBytes = 128 * 1024;
    private const int DefaultMaxRecordSize = 64 << 10;
    private const int NoThread = -1;

    private long _utcTicks;
    private LogCategory _category = LogCategory.None;
    private string? _eventName;
    private int _eventNumber;
    private TraceIds _trace;
    private int _threadId;

    // The state: read into State, or read on demand. A parsed template is shared by all events of a call: it stays in the field from event to
    // event, and _hasTemplate is true if it is this event's; _templateText is the template of an event that has only its text.
    private LazyState _lazy;
    private MessageTemplate? _template;
    private bool _hasTemplate;
    private string? _templateText;

    // The message: rendered from the template, or the text of the formatter. Kept in _message only where it is used twice.
    private readonly RecordBuffer _message;
    private readonly CleanMark _mark;
    private string? _messageText;
    private int _messageLength;
    private bool _isMessageFromTemplate;
    private bool _isMessageKept;

    private Exception? _exception;
    private string? _exceptionText;
    private ExceptionAttributes? _exceptionAttributes;
    private PropertyList? _allState;
    private ObjectValues? _objects;
    private PropertyList? _arguments;

    // The last exception of user code; valid only for the event of that time, so it needs no reset per event.
    private string? _faultType;
    private long _faultTicks;

    internal LogEvent()
    {
        _mark = Scratch.Mark;
        Owner = new ValueOwner(this);
        Record = new RecordBuffer(_mark);
        _message = new RecordBuffer(_mark);
    }

    /// <summary>Time of the <c>Log</c> call, UTC, in units of 100 ns.</summary>
    public DateTimeOffset Timestamp => new(_utcTicks, TimeSpan.Zero);

    /// <summary>The level.</summary>
    public LogLevel Level { get; private set; }

    /// <summary>The logger's category.</summary>
    public string Category => _category.Name;

    /// <summary>The logger's category as UTF-8, unescaped.</summary>
    internal ReadOnlySpan<byte> CategoryUtf8 => _category.Utf8;

    /// <summary>The event id; its name may be null.</summary>
    public EventId EventId => new(_eventNumber, _eventName);

    /// <summary>The message template (<c>{OriginalFormat}</c>), or null when the state has none.</summary>
    public string? MessageTemplate => _hasTemplate ? _template!.Text : _templateText;

    /// <summary>The formatted message as UTF-8, unescaped: character for character what MEL's formatter gives (an unpaired surrogate is U+FFFD).
    /// Rendered on first use; truncated after 4 times the instances' largest <c>MaxRecordSize</c>.</summary>
    public ReadOnlySpan<byte> Message
    {
        get
        {
            if (!_isMessageKept)
                RenderMessage();
            return _message.WrittenSpan[.._messageLength];
        }
    }

    /// <summary>The length of the whole message in bytes, also when <see cref="Message"/> was truncated.</summary>
    internal long MessageLength
    {
        get
        {
            if (!_isMessageKept)
                RenderMessage();
            return _message.Total;
        }
    }

    /// <summary>True if the formatter gave null instead of a message.</summary>
    internal bool IsMessageNull => !_isMessageFromTemplate && _messageText is null;

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

    /// <summary>The <see cref="Properties"/> and, in their places, those that describe the exception: for formats that write them as attributes.</summary>
    internal ReadOnlySpan<LogProperty> AllProperties => _exceptionAttributes is null ? Properties : _allState!.Items;

    /// <summary>The exception, or null. A buffered record has only <see cref="ExceptionText"/>.</summary>
    public Exception? Exception => _exception;

    /// <summary>The exception's text (<c>ToString()</c>, bounded; <c>&lt;error: TypeName&gt;</c> when that throws), or null without exception.</summary>
    /// <remarks>Properties named <c>exception.type</c>, <c>exception.message</c> or <c>exception.stacktrace</c>, as enrichment of Microsoft.Extensions.Telemetry names them, are no
    /// <see cref="Properties"/> of an event with an exception. The text of a buffered record is made of them.</remarks>
    public string? ExceptionText => _exceptionText ??= _exception is null ? _exceptionAttributes?.Text() : AsyncLog.ExceptionText.Of(_exception, this);

    /// <summary>The full name of the exception's type; null without exception, or where only the text of a buffered record is known.</summary>
    internal string? ExceptionType => _exception?.GetType() is { } type ? type.FullName ?? type.Name : _exceptionAttributes?.Type;

    /// <summary>The exception's message, bounded where those of thousands inside make it up; null as for <see cref="ExceptionType"/>.</summary>
    internal string? ExceptionMessage => _exception is null ? _exceptionAttributes?.Message : AsyncLog.ExceptionText.MessageOf(_exception, this);

    /// <summary>The exception's <c>ToString()</c>, bounded; of a buffered record the property <c>exception.stacktrace</c>, or its text if it has none of the properties; else null.</summary>
    internal string? ExceptionStackTrace => _exception is null && _exceptionAttributes is { } parts ? parts.StackTrace : ExceptionText;

    /// <summary>The number of scopes, outermost first, at most 128: of more, a text stands for the outer ones. The ids of the activity that the host's tracking adds
    /// are no scope while <see cref="HasTrace"/>.</summary>
    public int ScopeCount => Scopes.GetCount(this);

    /// <summary>True if a W3C activity with non-zero ids was current.</summary>
    public bool HasTrace => _trace.Read();

    /// <summary>The trace id; default without <see cref="HasTrace"/>.</summary>
    public ActivityTraceId TraceId => _trace.Read() ? _trace.TraceId : default;

    /// <summary>The span id; default without <see cref="HasTrace"/>.</summary>
    public ActivitySpanId SpanId => _trace.Read() ? _trace.SpanId : default;

    /// <summary>The trace flags.</summary>
    public ActivityTraceFlags TraceFlags => _trace.Read() ? _trace.Flags : default;

    /// <summary>The managed id of the logging thread; 0 for a buffered record that does not have it.</summary>
    public int ThreadId => _threadId > 0 ? _threadId : _threadId == NoThread ? 0 : _threadId = Environment.CurrentManagedThreadId;

    /// <summary>The maximum number of bytes that a formatter may write for this event; a longer record is replaced by an error record.</summary>
    /// <value>The instance's option <c>MaxRecordSize</c>.</value>
    public int MaxRecordSize { get; internal set; } = DefaultMaxRecordSize;

    /// <summary>True if the formatter truncated a text to keep within its limit. Set by formatters; counts the record as truncated.</summary>
    /// <value>False before each formatter.</value>
    internal bool WasTruncated { get; set; }

    /// <summary>Number of properties left out by the formatter to keep its limit. Set by formatters; added to the instance's counters.</summary>
    /// <value>0 before each formatter.</value>
    internal int PropertiesLeftOut { get; set; }

    /// <summary>The number of placeholders for values, scopes or messages whose user code failed. A formatter that renders twice sets it back to what it was after the first time.</summary>
    internal int RenderErrors { get; set; }

    internal string? EventName => _eventName;

    /// <summary>The time of the event, in UTC ticks.</summary>
    internal long UtcTicks => _utcTicks;

    /// <summary>The type of the exception behind the event's last placeholder; null if it is not known.</summary>
    internal string? RenderFault => _faultTicks == _utcTicks ? _faultType : null;

    /// <summary>The maximum number of bytes of the message that are stored.</summary>
    internal int MessageLimit { get; private set; }

    /// <summary>True if the event is rendered in one layout only, so that the message may be written to its place in the record without being kept.</summary>
    internal bool IsRenderedOnce { get; set; }

    internal LogCategory CategoryInfo => _category;

    /// <summary>True if there is an exception, or the text of one.</summary>
    internal bool HasException => _exception is not null || _exceptionText is not null || _exceptionAttributes is not null;

    /// <summary>The parsed template if the message is rendered from it, else null.</summary>
    internal MessageTemplate? ParsedTemplate => _isMessageFromTemplate ? _template : null;

    /// <summary>True while the values are read where they lie. For tests.</summary>
    internal bool IsLazy => !_lazy.IsEmpty;

    /// <summary>True if the message is the text of the template.</summary>
    internal bool IsMessageTemplate => !_isMessageFromTemplate && _messageText is not null && string.Equals(_messageText, MessageTemplate, StringComparison.Ordinal);

    /// <summary>The property names of the template's arguments; none without a template, or without properties: such a text may be built for each call.</summary>
    internal string[] TemplateNames => _hasTemplate ? _template!.Names
        : _templateText is null || Properties.IsEmpty || !AsyncLog.MessageTemplate.HasArgument(_templateText) ? []
        : TemplateTable.Find(_templateText)?.Names ?? AsyncLog.MessageTemplate.NamesOfUnparsed(_templateText);

    /// <summary>True if there is a template with an argument.</summary>
    internal bool HasTemplateArguments
        => _hasTemplate ? _template!.Names.Length > 0 : _templateText is not null && AsyncLog.MessageTemplate.HasArgument(_templateText);

    internal TemplateArguments Arguments => new(State.Items, in _lazy);

    internal PropertyList State { get; } = new();

    /// <summary>Serializes the objects among the values.</summary>
    internal IValueOwner Owner { get; }

    /// <summary>The record that the event is rendered to.</summary>
    internal RecordBuffer Record { get; }

    /// <summary>Memory that formatters reuse from record to record on this thread.</summary>
    internal FormatScratch Scratch { get; } = new();

    internal ScopeList Scopes { get; } = new();

    internal IExternalScopeProvider? ScopeProvider { get; private set; }

    /// <summary>Creates an event without a logger, to test a formatter. Reads state and message at once; ids, thread and scopes are the caller's.</summary>
    /// <typeparam name="TState">The type of the state. Its properties are its key/value pairs, if it has them.</typeparam>
    /// <param name="entry">The arguments of a call of <see cref="ILogger.Log"/>, and the logger's category.</param>
    /// <param name="timestamp">Time of the event.</param>
    /// <param name="scopes">The scopes; null for none.</param>
    /// <param name="maxRecordSize">The value of <see cref="MaxRecordSize"/>.</param>
    public static LogEvent Create<TState>(
        in LogEntry<TState> entry, DateTimeOffset timestamp, IExternalScopeProvider? scopes = null, int maxRecordSize = DefaultMaxRecordSize)
    {
        ArgumentNullException.ThrowIfNull(entry.Category);
        ArgumentNullException.ThrowIfNull(entry.Formatter);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(maxRecordSize);
        var created = new LogEvent { MaxRecordSize = maxRecordSize };
        created.Begin(timestamp.UtcTicks, entry.LogLevel, new LogCategory(entry.Category), entry.EventId, entry.Exception, scopes, FormatScratch.LimitFor(maxRecordSize));
        var state = entry.State;
        created.ReadState(ref state, entry.Formatter);
        return created;
    }

    /// <summary>One scope.</summary>
    /// <param name="index">0 is the outermost.</param>
    public LogScope GetScope(int index) => Scopes.Get(index, this);

    /// <summary>The text of a value as UTF-8, unescaped and in the invariant culture, as in the library's own layouts: <c>&lt;error: TypeName&gt;</c> if its type throws.</summary>
    /// <param name="value">A value of this event.</param>
    /// <param name="length">The number of bytes needed; a far longer text is not rendered to its end.</param>
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
    /// <param name="length">The number of bytes needed; a far longer text is not rendered to its end.</param>
    /// <returns>At least <paramref name="length"/> bytes of the text or all of it, whole characters; valid until the next call with a template.</returns>
    internal ReadOnlySpan<byte> GetText(LogTemplate template, int length)
    {
        ArgumentNullException.ThrowIfNull(template);
        Scratch.Want(length);
        var output = template.Render(this, Scratch);
        RenderErrors += Scratch.Errors;
        return output.WrittenRunes;
    }

    /// <summary>Returns a collection as it is, and a lazy sequence as a collection of what it gave: it is enumerated once for the message and all layouts.</summary>
    /// <param name="items">A value of this event, or an element of one.</param>
    /// <returns>Valid until the end of the event. Throws what the sequence threw, each time at the same place.</returns>
    internal IEnumerable ReadOnce(IEnumerable items)
    {
        ArgumentNullException.ThrowIfNull(items);
        return SequenceReads.Of(items, Scratch);
    }

    /// <summary>Counts a placeholder that a formatter wrote in place of a value whose user code failed (<c>asynclog.sink.render_errors</c>).</summary>
    public void CountRenderError() => RenderErrors++;

    /// <summary>Counts the record as truncated: the formatter cut a text to keep within its limit.</summary>
    public void MarkTruncated() => WasTruncated = true;

    /// <summary>Counts properties that the formatter left out to keep within its limit.</summary>
    /// <param name="properties">Number of properties.</param>
    public void CountPropertiesLeftOut(int properties) => PropertiesLeftOut += properties;

    /// <summary>Counts a placeholder and keeps the type of the exception behind it.</summary>
    internal void CountRenderError(Exception fault)
    {
        RenderErrors++;
        _faultType = fault.GetType().FullName;
        _faultTicks = _utcTicks;
    }

    /// <summary>Prepares the event for a further layout: values that user code failed to return are requested again, so that each layout counts the errors it would count alone.</summary>
    internal void Restart(int captured)
    {
        if (RenderErrors != captured)
            DiscardRendered(captured);
    }

    /// <summary>Discards what was rendered, and its errors.</summary>
    internal void DiscardRendered(int captured)
    {
        RenderErrors = captured;
        _isMessageKept = false;
        if (Scopes.IsCaptured)
            Scopes.Reset();
        if (_exception is not null)
            _exceptionText = null;
    }

    /// <summary>Starts an event; Capture fills it.</summary>
    internal void Begin(
        long utcTicks, LogLevel level, LogCategory category, EventId id, Exception? exception, IExternalScopeProvider? scopes, int messageLimit)
    {
        // Also for an event that was not reset: the pointer refers to a stack frame that is gone.
        _lazy.Clear();
        _utcTicks = utcTicks;
        Level = level;
        _eventNumber = id.Id;
        MessageLimit = messageLimit;
        WasTruncated = false;
        PropertiesLeftOut = 0;
        IsRenderedOnce = false;
        RenderErrors = 0;
        _hasTemplate = false;
        _isMessageFromTemplate = false;
        _isMessageKept = false;
        // Comparing costs less than storing a reference in an old object.
        if (!ReferenceEquals(_category, category))
            _category = category;
        if (!ReferenceEquals(ScopeProvider, scopes))
            ScopeProvider = scopes;
        if (id.Name is not null)
            _eventName = id.Name;
        if (exception is not null)
            _exception = exception;
    }

    /// <summary>Reads a state of any type: key/value pairs if it has them. The caller's formatter makes the message.</summary>
    internal void ReadState<TState>(ref TState state, Func<TState, Exception?, string?> formatter)
    {
        string? template = null;
        Exception? fault = null;
        // Another struct is not boxed.
        if (state is IEnumerable)
            PairReader.TryRead(state, PairReader.MaxPairs, State, Owner, ref template, out fault);
        CompleteState(ref state, formatter, template, fault);
    }

    /// <summary>Sets everything except the properties, which were read already; <paramref name="fault"/> is the exception that ended the reading, or null.</summary>
    internal void CompleteState<TState>(ref TState state, Func<TState, Exception?, string?> formatter, string? template, Exception? fault)
    {
        if (fault is not null)
            CountRenderError(fault);
        if (_exception is not null)
            TakeExceptionAttributes();
        SetTemplate(template);
        if (State.Template is null || State.Template.Text != template || !TryFormatMessage(State.Template))
            FormatMessage(ref state, formatter);
    }

    /// <summary>Sets the text of the caller's formatter as the message; a placeholder if it throws.</summary>
    internal void FormatMessage<TState>(ref TState state, Func<TState, Exception?, string?> formatter)
    {
        try
        {
            SetMessage(formatter(state, _exception));
        }
        catch (Exception fault)
        {
            CountRenderError(fault);
            var type = fault.GetType();
            SetMessage($"<error formatting message: {type.FullName ?? type.Name}>");
        }
    }

    /// <summary>Sets the text of the template; null when the state has none.</summary>
    internal void SetTemplate(string? text)
    {
        _templateText = text;
        _hasTemplate = false;
    }

    internal void SetTemplate(MessageTemplate template)
    {
        if (!ReferenceEquals(_template, template))
            _template = template;
        _hasTemplate = true;
    }

    /// <summary>Sets a state that is read on demand, after its template.</summary>
    internal void SetState(ref byte state, StateValues values) => _lazy.Set(ref state, values, _template!.Names.Length);

    /// <summary>Sets the text of the caller's formatter as the message.</summary>
    internal void SetMessage(string? text)
    {
        _messageText = text;
        _isMessageFromTemplate = false;
        _isMessageKept = false;
    }

    /// <summary>Makes the message render from the template.</summary>
    internal void SetMessageFromTemplate()
    {
        Debug.Assert(_hasTemplate, "The template is set first.");
        _isMessageFromTemplate = true;
        _isMessageKept = false;
    }

    /// <summary>Renders the message to its place in a record, without keeping it; false when it is kept already, or another layout may need it.</summary>
    internal bool TryWriteMessage(ref Utf8Writer writer)
    {
        if (!IsRenderedOnce || _isMessageKept)
            return false;
        WriteMessage(ref writer, _template);
        return true;
    }

    /// <summary>Renders the message to its place in a record if it needs no escapes and fits; else false: nothing was written, and <see cref="Message"/> has to be escaped.</summary>
    internal bool TryWriteMessage(ref Utf8Writer writer, EscapeStyle style)
    {
        var start = writer.Position;
        var errors = RenderErrors;
        if (!IsRenderedOnce || _isMessageKept || writer.IsFull)
            return false;
        WriteMessage(ref writer, _template);
        // Known without reading the bytes; JSON escapes also some printable characters.
        if (writer.IsPlain && style == EscapeStyle.Text)
            return true;
        if (!writer.IsTruncated)
        {
            var message = writer.Since(start);
            if (Escaping.IsClean(message, style))
                return true;
            _message.Reset(MessageLimit);
            _message.Append(message);
            KeepMessage();
        }
        // A truncated message is rendered again, so that its whole length is counted.
        RenderErrors = writer.IsTruncated ? errors : RenderErrors;
        writer.Rewind(start);
        return false;
    }

    /// <summary>Sets the exception text, ids and thread of a buffered record, in place of the current thread's.</summary>
    internal void SetBuffered(string? exceptionText, ActivityTraceId? traceId, ActivitySpanId? spanId, int? threadId)
    {
        // Microsoft.Extensions.Telemetry buffers a missing exception as an empty text.
        _exceptionText = string.IsNullOrEmpty(exceptionText) ? null : exceptionText;
        _trace.Set(traceId, spanId);
        _threadId = threadId ?? NoThread;
    }

    /// <summary>Removes the properties that enrichment or a buffer wrote about the exception, and builds the exception from them.</summary>
    internal void TakeExceptionAttributes()
    {
        _exceptionAttributes = ExceptionAttributes.Read(State);
        if (_exceptionAttributes is null)
            return;
        _allState ??= new PropertyList();
        _allState.Clear();
        foreach (ref readonly var property in State.Items)
            _allState.Add(property.Name, property.ValueRef);
        ExceptionAttributes.RemoveFrom(State);
        if (_exceptionText is null)
            return;
        // The text of a buffered record is the message; an attribute takes precedence.
        _exceptionAttributes.Message ??= _exceptionText;
        _exceptionText = null;
    }

    /// <summary>Clears every reference to the caller's objects and frees memory far beyond the usual size. Allocates nothing and does not throw:
    /// what it left behind would be part of the thread's next record.</summary>
    internal void Reset()
    {
        _lazy.Clear();
        _messageText = null;
        if (State.Count > 0)
            State.Clear();
        if (Scopes.IsCaptured)
            Scopes.Reset();
        _templateText = null;
        _eventName = null;
        _exception = null;
        _exceptionText = null;
        _exceptionAttributes = null;
        _allState?.Clear();
        _threadId = 0;
        if (_trace.IsKnown)
            _trace = default;
        if (_mark.IsSet)
            Clean();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Clean()
    {
        Scratch.Clean();
        _objects?.Clear();
        Record.Trim(KeptRecordBytes);
        _message.Trim(KeptMessageBytes);
    }

    private void ReadLazyState()
    {
        _lazy.ReadAll(_template!.Names, State);
        _lazy.Clear();
    }

    // The caller's formatter has the objects but not their JSON. False if the state lacks an argument.
    private bool TryFormatMessage(MessageTemplate template)
    {
        _arguments ??= new PropertyList();
        foreach (var name in template.Names)
        {
            if (NameOperators.FindProperty(State.Items, name) is >= 0 and var index)
                _arguments.Add(name, State.Items[index].ValueRef);
        }
        if (_arguments.Count < template.Names.Length)
        {
            _arguments.Clear();
            return false;
        }
        _message.Reset(MessageLimit);
        var writer = new Utf8Writer(_message);
        RenderErrors += MessageRenderer.Render(template, new TemplateArguments(_arguments.Items), ref writer, Scratch);
        writer.Flush();
        _arguments.Clear();
        SetMessage(Encoding.UTF8.GetString(_message.WrittenRunes));
        return true;
    }

    private void RenderMessage()
    {
        _message.Reset(MessageLimit);
        // Set before user code runs: a nested Log call has its own event, and a nested read sees the empty message.
        _isMessageKept = true;
        _messageLength = 0;
        var writer = new Utf8Writer(_message);
        WriteMessage(ref writer, _template);
        writer.Flush();
        KeepMessage();
    }

    private void WriteMessage(ref Utf8Writer writer, MessageTemplate? template)
    {
        if (_isMessageFromTemplate)
        {
            RenderErrors += MessageRenderer.Render(template!, Arguments, ref writer, Scratch);
            return;
        }
        writer.IsPlain = true;
        MessageWriter.Write(ref writer, _messageText);
        writer.EndText();
    }

    private void KeepMessage()
    {
        _isMessageKept = true;
        _messageLength = _message.WrittenRunes.Length;
    }

    // Not the event itself, so that what reads values does not depend on events.
    private sealed class ValueOwner(LogEvent logEvent) : IValueOwner
    {
        public ObjectJson? TrySerialize(object value)
        {
            logEvent._objects ??= new ObjectValues();
            logEvent._mark.IsSet = true;
            return logEvent._category.Objects.TryWrite(value, logEvent._objects, logEvent.MessageLimit);
        }

        public void CountRenderError(Exception fault) => logEvent.CountRenderError(fault);
    }
}
