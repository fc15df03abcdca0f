namespace AsyncLog;

/// <summary>Walks the properties that stand nowhere else in a text record: those of the state, then of the scopes.</summary>
/// <remarks>Of equal names the state's counts, else the inner scope's, within one list the last; it keeps its place.</remarks>
internal ref struct LeftoverProperties
{
    private readonly LogEvent _event;
    private readonly ReadOnlySpan<string> _inLayout;
    private readonly ReadOnlySpan<string> _inMessage;
    private readonly int _scopes;
    private ReadOnlySpan<LogProperty> _list;
    private int _scope = -1;
    private int _index = -1;

    public LeftoverProperties(LogEvent logEvent, ReadOnlySpan<string> inLayout, ReadOnlySpan<string> inMessage, bool withScopes)
    {
        _event = logEvent;
        _inLayout = inLayout;
        _inMessage = inMessage;
        _list = logEvent.Properties;
        _scopes = withScopes ? logEvent.ScopeCount : 0;
    }

    public readonly LeftoverProperties GetEnumerator() => this;

    public readonly LogProperty Current => _list[_index];

    public bool MoveNext()
    {
        while (true)
        {
            while (++_index < _list.Length)
            {
                if (IsWanted(_list[_index].Name))
                    return true;
            }
            if (++_scope >= _scopes)
                return false;
            _list = _event.GetScope(_scope).Properties;
            _index = -1;
        }
    }

    private readonly bool IsWanted(string name)
    {
        if (name.Length == 0 || _inLayout.Contains(name) || _inMessage.Contains(name) || PropertyNames.FindLast(_list[(_index + 1)..], name) >= 0)
            return false;
        if (_scope >= 0 && PropertyNames.FindLast(_event.Properties, name) >= 0)
            return false;
        for (var inner = _scope + 1; _scope >= 0 && inner < _scopes; inner++)
        {
            if (PropertyNames.FindLast(_event.GetScope(inner).Properties, name) >= 0)
                return false;
        }
        return true;
    }
}
