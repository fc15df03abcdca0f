namespace AsyncLog;

/// <summary>Numbers for category names, so that a slot can carry its record's category. Numbers are never reused.</summary>
internal sealed class CategoryTable
{
    // Protects the dictionary and growth; readers take the array as it is.
    private readonly Lock _gate = new();
    private readonly Dictionary<string, int> _numbers = new(StringComparer.Ordinal);
    private string[] _names = new string[16];
    private int _count;
    private Action<string>? _followers;

    // Not the name of one of them: the record would be attributed to another category.
    private const string SharedName = "(one of more than 262143 categories)";

    /// <summary>Returns the number of a name, a new one the first time. From the 262,144th name on (<see cref="Slot.MaxCategory"/> names have one of their own) all share the last number.</summary>
    public int Add(string name)
    {
        lock (_gate)
        {
            if (_numbers.TryGetValue(name, out var number))
                return number;
            if (_count > Slot.MaxCategory)
                return Slot.MaxCategory;
            if (_count == _names.Length)
                Array.Resize(ref _names, _count * 2);
            _names[_count] = _count == Slot.MaxCategory ? SharedName : name;
            _followers?.Invoke(_names[_count]);
            _numbers.Add(name, _count);
            return _count++;
        }
    }

    /// <summary>Calls an action with each existing name, then with each new one, in the order of their numbers and before the number is used. The action runs
    /// under the lock of the table.</summary>
    public void Follow(Action<string> follower)
    {
        lock (_gate)
        {
            for (var number = 0; number < _count; number++)
                follower(_names[number]);
            _followers += follower;
        }
    }

    /// <summary>Ends <see cref="Follow"/>.</summary>
    public void Unfollow(Action<string> follower)
    {
        lock (_gate)
            _followers -= follower;
    }

    public string NameOf(int number) => Volatile.Read(ref _names)[number];
}
