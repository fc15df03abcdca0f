using System.Diagnostics;

namespace AsyncLog;

/// <summary>The ids of the activity an event belongs to, read when first asked for.</summary>
internal struct TraceIds
{
    private bool _isKnown;
    private bool _hasTrace;

    /// <summary>Whether they were asked for.</summary>
    public readonly bool IsKnown => _isKnown;

    public ActivityTraceId TraceId { get; private set; }

    public ActivitySpanId SpanId { get; private set; }

    public ActivityTraceFlags Flags { get; private set; }

    /// <summary>Whether there is a W3C activity whose ids are not all zero.</summary>
    public bool Read()
    {
        if (!_isKnown)
            ReadCurrent();
        return _hasTrace;
    }

    /// <summary>Sets ids that came with a buffered record.</summary>
    public void Set(ActivityTraceId? traceId, ActivitySpanId? spanId)
    {
        _isKnown = true;
        if (traceId is { } trace && spanId is { } span)
            Take(trace, span, ActivityTraceFlags.None);
    }

    private void ReadCurrent()
    {
        _isKnown = true;
        var activity = Activity.Current;
        if (activity is not null && activity.IdFormat == ActivityIdFormat.W3C)
            Take(activity.TraceId, activity.SpanId, activity.ActivityTraceFlags);
    }

    private void Take(ActivityTraceId traceId, ActivitySpanId spanId, ActivityTraceFlags flags)
    {
        _hasTrace = traceId.ToHexString().AsSpan().ContainsAnyExcept('0') && spanId.ToHexString().AsSpan().ContainsAnyExcept('0');
        if (!_hasTrace)
            return;
        TraceId = traceId;
        SpanId = spanId;
        Flags = flags;
    }
}
