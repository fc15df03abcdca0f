namespace AsyncLog;

/// <summary>Numbers for category names, so that a slot can carry its record's category. Numbers are never taken back.</summary>
internal sealed class CategoryTable
{
    // Protects growth; readers take the array as it is.
    private readonly Lock _gate = new();
    private string[] _names = new string[16];
    private int _count;

    /// <summary>Gives a name its number: 0 to <see cref="Slot.MaxCategory"/>. Names beyond 262,144 share the last number, and its name.</summary>
    public int Add(string name)
    {
        lock (_gate)
        {
            if (_count > Slot.MaxCategory)
                return Slot.MaxCategory;
            if (_count == _names.Length)
                Array.Resize(ref _names, _count * 2);
            _names[_count] = name;
            return _count++;
        }
    }

    public string NameOf(int number) => Volatile.Read(ref _names)[number];
}
