using System.Diagnostics;

namespace AsyncLog;

/// <summary>The ids of the current activity, read on first use.</summary>
internal struct TraceIds
{
    private bool _isKnown;
    private bool _hasTrace;

    /// <summary>True if the ids were read or set.</summary>
    public readonly bool IsKnown => _isKnown;

    public ActivityTraceId TraceId { get; private set; }

    public ActivitySpanId SpanId { get; private set; }

    public ActivityTraceFlags Flags { get; private set; }

    /// <summary>Returns true if there is a W3C activity whose ids are not all zero.</summary>
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
        _hasTrace = !IsZero(traceId.ToHexString()) && !IsZero(spanId.ToHexString());
        if (!_hasTrace)
            return;
        TraceId = traceId;
        SpanId = spanId;
        Flags = flags;
    }

    // Fifteen of sixteen end with the first digit.
    private static bool IsZero(string hex) => hex[0] == '0' && !hex.AsSpan().ContainsAnyExcept('0');
}
