namespace AsyncLog;

/// <summary>Finds which of several properties with one name counts: state wins over constants, these over scopes, inner scope over outer,
/// within one list the last.</summary>
internal sealed class PropertySelection
{
    /// <summary>Lists up to this length are compared pair by pair.</summary>
    private const int PairwiseLimit = 24;
    private const int FirstRoom = 64;
    private const int KeptRoom = 1024;

    private readonly HashSet<string> _seen = new(StringComparer.Ordinal);
    private readonly List<int> _groupStarts = [];
    private string[] _names = new string[FirstRoom];
    private bool[] _isWanted = new bool[FirstRoom];
    private int _count;

    /// <summary>Whether a name of the one list is not repeated later; for records with nothing but state.</summary>
    public static bool IsLast(ReadOnlySpan<LogProperty> list, int index)
    {
        var name = list[index].Name;
        for (var i = index + 1; i < list.Length; i++)
        {
            if (string.Equals(list[i].Name, name, StringComparison.Ordinal))
                return false;
        }

        return true;
    }

    /// <summary>Whether one list is short enough for <see cref="IsLast"/>.</summary>
    public static bool IsShort(int count) => count <= PairwiseLimit;

    /// <summary>Begins another list, weaker than those before unless it is a scope; scopes are added from outer to inner.</summary>
    public void AddGroup() => _groupStarts.Add(_count);

    /// <summary>Adds a name to the list begun last.</summary>
    /// <param name="name">The name, or null for one that is never wanted.</param>
    public void Add(string? name)
    {
        if (_count == _names.Length)
        {
            Array.Resize(ref _names, _count * 2);
            Array.Resize(ref _isWanted, _count * 2);
        }

        _isWanted[_count] = name is not null;
        _names[_count++] = name ?? "";
    }

    /// <summary>Decides; the first two groups are state and constants, then scopes from outer to inner.</summary>
    public void Decide()
    {
        Visit(0);
        Visit(1);
        for (var group = _groupStarts.Count - 1; group > 1; group--)
            Visit(group);
    }

    /// <summary>Whether the property added as number <paramref name="index"/> counts.</summary>
    public bool IsWanted(int index) => _isWanted[index];

    /// <summary>Drops every reference to names.</summary>
    public void Clear()
    {
        _seen.Clear();
        _groupStarts.Clear();
        Array.Clear(_names, 0, _count);
        _count = 0;
        if (_names.Length > KeptRoom)
        {
            _names = new string[FirstRoom];
            _isWanted = new bool[FirstRoom];
            _seen.TrimExcess();
        }
    }

    private void Visit(int group)
    {
        var end = group + 1 < _groupStarts.Count ? _groupStarts[group + 1] : _count;
        for (var i = end - 1; i >= _groupStarts[group]; i--)
        {
            if (_isWanted[i])
                _isWanted[i] = _seen.Add(_names[i]);
        }
    }
}
