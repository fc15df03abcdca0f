namespace AsyncLog;

/// <summary>One logging scope of an event.</summary>
public readonly ref struct LogScope
{
    private readonly EventScopes _owner;
    private readonly LogEvent _logEvent;
    private readonly int _index;

    internal LogScope(EventScopes owner, LogEvent logEvent, int index, ReadOnlySpan<LogProperty> properties, bool hasProperties)
    {
        _owner = owner;
        _logEvent = logEvent;
        _index = index;
        Properties = properties;
        HasProperties = hasProperties;
    }

    /// <summary>Whether the scope is a list of key/value pairs; otherwise it is plain text.</summary>
    public bool HasProperties { get; }

    /// <summary>The pairs of a key/value scope, without <c>{OriginalFormat}</c> and null keys; at most 128.</summary>
    public ReadOnlySpan<LogProperty> Properties { get; }

    /// <summary>The scope's text (its <c>ToString()</c>; rendered without a string for MEL's own scopes) as UTF-8, unescaped. Valid until the next scope's text is asked for.</summary>
    public ReadOnlySpan<byte> Text => _owner.TextOf(_index, _logEvent);
}
