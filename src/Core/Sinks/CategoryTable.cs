namespace AsyncLog;

/// <summary>Numbers for category names, so that a slot can carry its record's category. Numbers are never taken back.</summary>
internal sealed class CategoryTable
{
    // Protects growth; readers take the array as it is.
    private readonly Lock _gate = new();
    private string[] _names = new string[16];
    private int _count;

    // Not the name of one of them: the record would be attributed to another category.
    private const string SharedName = "(one of more than 262143 categories)";

    /// <summary>Returns the number of a name. From the 262,144th name on (<see cref="Slot.MaxCategory"/> names have one of their own) all share the last number.</summary>
    public int Add(string name)
    {
        lock (_gate)
        {
            if (_count > Slot.MaxCategory)
                return Slot.MaxCategory;
            if (_count == _names.Length)
                Array.Resize(ref _names, _count * 2);
            _names[_count] = _count == Slot.MaxCategory ? SharedName : name;
            return _count++;
        }
    }

    public string NameOf(int number) => Volatile.Read(ref _names)[number];
}
