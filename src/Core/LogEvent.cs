using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>What one <c>Log</c> call said. Alive only during the call: a formatter must not keep it or anything it hands out.</summary>
/// <remarks>One object per thread (and depth of re-entrance), reused. Scopes, activity and the rendered message are captured when first
/// asked for, on the caller's thread, so nobody pays for what no formatter wants.</remarks>
public sealed class LogEvent
{
    private const int KeptBytes = 256 << 10;
    private readonly RecordBuffer _message = new();
    private readonly EventScopes _scopes = new();
    private LogProperty[] _properties = new LogProperty[8];
    private int _propertyCount;
    private byte[] _categoryUtf8 = [];
    private MessageTemplate? _template;
    private string? _messageText;
    private bool _isRendered;
    private bool _isTraced;
    private bool _isThreadKnown;
    private int _messageLimit;
    private string? _exceptionText;
    private IExternalScopeProvider? _scopeProvider;

    internal LogEvent()
    {
    }

    /// <summary>When it was logged, UTC, to 100 ns.</summary>
    public DateTimeOffset Timestamp => new(UtcTicks, TimeSpan.Zero);

    /// <summary>The level.</summary>
    public LogLevel Level { get; private set; }

    /// <summary>The logger's category.</summary>
    public string Category { get; private set; } = "";

    /// <summary>The logger's category as UTF-8, unescaped.</summary>
    public ReadOnlySpan<byte> CategoryUtf8 => _categoryUtf8;

    /// <summary>The event id; its name may be null.</summary>
    public EventId EventId { get; private set; }

    /// <summary>The message template (<c>{OriginalFormat}</c>), or null when the state has none.</summary>
    public string? MessageTemplate { get; internal set; }

    /// <summary>The formatted message as UTF-8, unescaped: character for character what MEL's formatter gives (an unpaired surrogate is U+FFFD).
    /// Rendered on first use; cut after 4 times the instances' largest <c>MaxRecordSize</c>, see <see cref="MessageLength"/>.</summary>
    public ReadOnlySpan<byte> Message
    {
        get
        {
            RenderMessage();
            return _message.WrittenSpan;
        }
    }

    /// <summary>The length of the whole message in bytes, also when <see cref="Message"/> was cut.</summary>
    public long MessageLength
    {
        get
        {
            RenderMessage();
            return _message.Total;
        }
    }

    /// <summary>Whether the formatter gave null instead of a message.</summary>
    public bool IsMessageNull => _template is null && _messageText is null;

    /// <summary>The state's properties in order, without the template and without null keys. Keys may repeat.</summary>
    public ReadOnlySpan<LogProperty> Properties => _properties.AsSpan(0, _propertyCount);

    /// <summary>The exception, or null. A buffered record has only <see cref="ExceptionText"/>.</summary>
    public Exception? Exception { get; private set; }

    /// <summary>The exception's text (<c>ToString()</c>, bounded; <c>&lt;error: TypeName&gt;</c> when that throws), or null without exception.</summary>
    public string? ExceptionText
    {
        get
        {
            if (_exceptionText is null && Exception is not null)
                _exceptionText = AsyncLog.ExceptionText.Of(Exception, this);
            return _exceptionText;
        }
        internal set => _exceptionText = value;
    }

    /// <summary>The number of scopes, outermost first, without the host's activity scope; at most 128.</summary>
    public int ScopeCount => _scopes.CountOf(_scopeProvider, this);

    /// <summary>Whether a W3C activity with non-zero ids was current.</summary>
    public bool HasTrace
    {
        get
        {
            CaptureTrace();
            return TraceIdField != default;
        }
    }

    /// <summary>The trace id; default without <see cref="HasTrace"/>.</summary>
    public ActivityTraceId TraceId => HasTrace ? TraceIdField : default;

    /// <summary>The span id; default without <see cref="HasTrace"/>.</summary>
    public ActivitySpanId SpanId { get; private set; }

    /// <summary>The trace flags.</summary>
    public ActivityTraceFlags TraceFlags { get; private set; }

    /// <summary>The managed id of the logging thread.</summary>
    public int ThreadId
    {
        get => _isThreadKnown ? field : Environment.CurrentManagedThreadId;
        internal set
        {
            field = value;
            _isThreadKnown = true;
        }
    }

    internal long UtcTicks { get; private set; }

    /// <summary>Whether the formatter had to cut the record.</summary>
    internal bool WasCut { get; set; }

    /// <summary>Placeholders that stand for values, messages or records that failed.</summary>
    internal int RenderErrors { get; set; }

    /// <summary>What formatters reuse from record to record on this thread.</summary>
    internal FormatScratch Scratch { get; } = new();

    private ActivityTraceId TraceIdField { get; set; }

    /// <summary>One scope.</summary>
    /// <param name="index">0 is the outermost.</param>
    public LogScope GetScope(int index)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)ScopeCount, nameof(index));
        return _scopes.Get(index, this);
    }

    internal void Begin(
        long utcTicks, LogLevel level, string category, byte[] categoryUtf8, EventId id, Exception? exception, IExternalScopeProvider? scopes, int messageLimit)
    {
        UtcTicks = utcTicks;
        Level = level;
        Category = category;
        _categoryUtf8 = categoryUtf8;
        EventId = id;
        Exception = exception;
        _scopeProvider = scopes;
        _messageLimit = messageLimit;
        RenderErrors = 0;
        WasCut = false;
    }

    /// <summary>Lets go of everything the state held.</summary>
    internal void End()
    {
        _properties.AsSpan(0, _propertyCount).Clear();
        _propertyCount = 0;
        _template = null;
        _messageText = null;
        MessageTemplate = null;
        Exception = null;
        _exceptionText = null;
        _scopeProvider = null;
        _isRendered = false;
        _isThreadKnown = false;
        if (_isTraced)
        {
            _isTraced = false;
            TraceIdField = default;
            SpanId = default;
        }

        _scopes.Clear();
        _message.Trim(KeptBytes);
    }

    internal void AddProperty(string name, in LogValue value)
    {
        if (_propertyCount == _properties.Length)
            Array.Resize(ref _properties, _propertyCount * 2);
        _properties[_propertyCount++] = new LogProperty(name, value);
    }

    /// <summary>The message is the template with the properties in it.</summary>
    internal void SetMessage(MessageTemplate template) => _template = template;

    /// <summary>The message is this text; null is no message.</summary>
    internal void SetMessage(string? text) => _messageText = text;

    internal void SetTrace(ActivityTraceId traceId, ActivitySpanId spanId, ActivityTraceFlags flags)
    {
        _isTraced = true;
        if (traceId == default || spanId == default)
            return;
        TraceIdField = traceId;
        SpanId = spanId;
        TraceFlags = flags;
    }

    private void RenderMessage()
    {
        if (_isRendered)
            return;
        _isRendered = true;
        _message.Reset(_messageLimit);
        if (_template is not null)
            MessageRenderer.Render(_template, Properties, _message, this);
        else
            MessageRenderer.Copy(_messageText, _message);
    }

    private void CaptureTrace()
    {
        if (_isTraced)
            return;
        if (Activity.Current is { IdFormat: ActivityIdFormat.W3C } activity)
            SetTrace(activity.TraceId, activity.SpanId, activity.ActivityTraceFlags);
        _isTraced = true;
    }
}
