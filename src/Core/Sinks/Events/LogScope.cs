namespace AsyncLog;

/// <summary>One logging scope of an event.</summary>
public readonly ref struct LogScope
{
    private readonly LogEvent _owner;
    private readonly int _index;

    internal LogScope(LogEvent owner, int index, ReadOnlySpan<LogProperty> properties, bool hasProperties, string? template)
    {
        MessageTemplate = template;
        _owner = owner;
        _index = index;
        Properties = properties;
        HasProperties = hasProperties;
    }

    /// <summary>Whether the scope is a list of key/value pairs; otherwise it is plain text.</summary>
    public bool HasProperties { get; }

    /// <summary>The pairs of a key/value scope, without <c>{OriginalFormat}</c> and null keys; at most 128.</summary>
    public ReadOnlySpan<LogProperty> Properties { get; }

    /// <summary>The message template of the scope (<c>{OriginalFormat}</c>), or null when it has none.</summary>
    public string? MessageTemplate { get; }

    /// <summary>The scope's text (its <c>ToString()</c>; rendered without a string for MEL's own scopes) as UTF-8, unescaped.</summary>
    public ReadOnlySpan<byte> Text => _owner.Scopes.GetText(_index, _owner);
}
