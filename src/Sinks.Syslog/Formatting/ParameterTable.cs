namespace AsyncLog;

/// <summary>Where the parameters of a rendered record lie, so that a cut can leave some out without rendering again.</summary>
internal sealed class ParameterTable
{
    private const int FirstRoom = 32;
    private const int KeptRoom = 512;
    private Parameter[] _items = new Parameter[FirstRoom];

    public int Count { get; private set; }

    public Span<Parameter> Items => _items.AsSpan(0, Count);

    /// <summary>Forgets the last record's.</summary>
    public void Clear()
    {
        Count = 0;
        if (_items.Length > KeptRoom)
            _items = new Parameter[FirstRoom];
    }

    public void Add(in Parameter parameter)
    {
        if (Count == _items.Length)
            Array.Resize(ref _items, Count * 2);
        _items[Count++] = parameter;
    }
}
