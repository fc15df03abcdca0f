namespace AsyncLog;

/// <summary>Finds which of several properties with one key counts: state wins over scopes, inner scope over outer, within one list the last.</summary>
internal sealed class AttributeSelection
{
    /// <summary>A state up to this length is compared pair by pair.</summary>
    private const int PairwiseLimit = 24;
    private const int FirstRoom = 64;
    private const int KeptRoom = 1024;

    private readonly HashSet<string> _seen = new(StringComparer.Ordinal);
    private bool[] _isWanted = new bool[FirstRoom];

    /// <summary>Whether one list is short enough for <see cref="IsLast"/>.</summary>
    public static bool IsShort(int count) => count <= PairwiseLimit;

    /// <summary>Whether a key of the one list is not empty and not repeated later.</summary>
    public static bool IsLast(ReadOnlySpan<LogProperty> list, int index)
    {
        var key = list[index].Name;
        for (var i = index + 1; i < list.Length; i++)
        {
            if (string.Equals(list[i].Name, key, StringComparison.Ordinal))
                return false;
        }

        return key.Length > 0;
    }

    /// <summary>Whether the property with this number counts: those of the state first, then those of scopes from outer to inner.</summary>
    public bool IsWanted(int number) => _isWanted[number];

    /// <summary>Decides for an event.</summary>
    /// <param name="logEvent">The event.</param>
    /// <param name="scopes">How many of its scopes count.</param>
    public void Decide(LogEvent logEvent, int scopes)
    {
        var end = logEvent.AllProperties.Length;
        for (var i = 0; i < scopes; i++)
            end += logEvent.GetScope(i).Properties.Length;
        if (_isWanted.Length < end)
            _isWanted = new bool[Math.Max(end, _isWanted.Length * 2)];
        Visit(logEvent.AllProperties, 0, hidesActivity: false);
        var hidesActivity = logEvent.HasTrace;
        for (var i = scopes - 1; i >= 0; i--)
        {
            var properties = logEvent.GetScope(i).Properties;
            end -= properties.Length;
            Visit(properties, end, hidesActivity);
        }
    }

    /// <summary>Drops every reference to keys.</summary>
    public void Clear()
    {
        _seen.Clear();
        if (_isWanted.Length > KeptRoom)
        {
            _isWanted = new bool[FirstRoom];
            _seen.TrimExcess();
        }
    }

    private void Visit(ReadOnlySpan<LogProperty> list, int first, bool hidesActivity)
    {
        for (var i = list.Length - 1; i >= 0; i--)
        {
            var key = list[i].Name;
            _isWanted[first + i] = key.Length > 0 && !(hidesActivity && IsActivityKey(key)) && _seen.Add(key);
        }
    }

    // What the host's activity tracking adds to scopes; the ids are fields of the record.
    private static bool IsActivityKey(string key) => key is "TraceId" or "SpanId" or "ParentId";
}
