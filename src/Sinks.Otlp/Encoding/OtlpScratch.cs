namespace AsyncLog;

/// <summary>What one thread reuses from record to record.</summary>
internal sealed class OtlpScratch
{
    private const int FirstBytes = 4096;
    private const int KeptBytes = 128 * 1024;

    [ThreadStatic]
    private static OtlpScratch? _free;

    /// <summary>The record in the making.</summary>
    public byte[] Record { get; private set; } = new byte[FirstBytes];

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
        if (Record.Length > KeptBytes)
            Record = new byte[FirstBytes];
        if (Kept.Length > KeptBytes)
            Kept = [];
        Marks.Clear();
        IsMarking = false;
        _free = this;
    }

    /// <summary>A longer record with the same beginning.</summary>
    public byte[] GrowRecord(int used, int needed)
    {
        var larger = new byte[Math.Max(needed, Record.Length * 2)];
        Record.AsSpan(0, used).CopyTo(larger);
        return Record = larger;
    }

    /// <summary>Copies bytes to <see cref="Kept"/>.</summary>
    public void Keep(ReadOnlySpan<byte> bytes)
    {
        if (Kept.Length < bytes.Length)
            Kept = new byte[bytes.Length];
        bytes.CopyTo(Kept);
    }
}
