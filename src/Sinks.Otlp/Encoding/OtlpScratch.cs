namespace AsyncLog;

/// <summary>What one thread reuses from record to record.</summary>
internal sealed class OtlpScratch
{
    private const int FirstBytes = 16 * 1024;
    private const int KeptBytes = 128 * 1024;

    [ThreadStatic]
    private static OtlpScratch? _free;

    // The record in the making, once it is too long for where it goes.
    private byte[] _record = [];

    /// <summary>Attributes of a record that is cut.</summary>
    public byte[] Kept { get; private set; } = [];

    /// <summary>Where those attributes lie.</summary>
    public List<AttributeMark> Marks { get; } = [];

    /// <summary>Whether <see cref="Marks"/> are wanted.</summary>
    public bool IsMarking { get; set; }

    public AttributeSelection Selection { get; } = new();

    /// <summary>Elements of containers written for the current value; bounds nested and repeated ones.</summary>
    public int Elements { get; set; }

    /// <summary>Takes the thread's scratch; user code that logs while a record is rendered gets another one.</summary>
    public static OtlpScratch Rent()
    {
        var scratch = _free ?? new OtlpScratch();
        _free = null;
        return scratch;
    }

    /// <summary>Gives the scratch back, and memory that is far more than usual.</summary>
    public void Return()
    {
        if (_record.Length > KeptBytes)
            _record = [];
        if (Kept.Length > KeptBytes)
            Kept = [];
        Marks.Clear();
        IsMarking = false;
        _free = this;
    }

    /// <summary>More room for a record with the same beginning.</summary>
    public byte[] GrowRecord(ReadOnlySpan<byte> written, int needed)
    {
        var room = _record.Length >= needed ? _record : new byte[Math.Max(Math.Max(needed, FirstBytes), _record.Length * 2)];
        written.CopyTo(room);
        return _record = room;
    }

    /// <summary>Copies bytes to <see cref="Kept"/>.</summary>
    public void Keep(ReadOnlySpan<byte> bytes)
    {
        if (Kept.Length < bytes.Length)
            Kept = new byte[bytes.Length];
        bytes.CopyTo(Kept);
    }
}
