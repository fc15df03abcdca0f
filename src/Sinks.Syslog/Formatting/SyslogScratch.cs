namespace AsyncLog;

/// <summary>What one thread reuses from record to record.</summary>
internal sealed class SyslogScratch
{
    private const int FirstBytes = 4096;
    private const int KeptBytes = 128 * 1024;

    [ThreadStatic]
    private static SyslogScratch? _free;

    /// <summary>The record in the making.</summary>
    public byte[] Record { get; private set; } = new byte[FirstBytes];

    /// <summary>Text as UTF-8 before it is escaped: a value, or message and exception together.</summary>
    public byte[] Text { get; private set; } = new byte[FirstBytes];

    /// <summary>Structured data that a cut keeps.</summary>
    public byte[] Kept { get; private set; } = new byte[FirstBytes];

    public ParameterTable Parameters { get; } = new();

    public PropertySelection Selection { get; } = new();

    public UsedNames Names { get; } = new();

    /// <summary>The room for structured data, once it is known that the record has to be cut.</summary>
    public DataRoom? Room { get; set; }

    public SecondText Second { get; } = new();

    /// <summary>Takes the thread's scratch; user code that logs while a record is rendered gets another one.</summary>
    public static SyslogScratch Rent()
    {
        var scratch = _free ?? new SyslogScratch();
        _free = null;
        return scratch;
    }

    /// <summary>Gives the scratch back, and memory that is far more than usual.</summary>
    public void Return()
    {
        if (Record.Length > KeptBytes)
            Record = new byte[FirstBytes];
        if (Text.Length > KeptBytes)
            Text = new byte[FirstBytes];
        if (Kept.Length > KeptBytes)
            Kept = new byte[FirstBytes];
        _free = this;
    }

    /// <summary>A longer record with the same beginning.</summary>
    public byte[] GrowRecord(int used, int needed)
    {
        var larger = new byte[Math.Max(needed, Record.Length * 2)];
        Record.AsSpan(0, used).CopyTo(larger);
        return Record = larger;
    }

    /// <summary><see cref="Text"/> with room for so many bytes; what it holds stays.</summary>
    public byte[] TextOf(int size)
    {
        if (Text.Length < size)
        {
            var larger = Text;
            Array.Resize(ref larger, Math.Max(size, Text.Length * 2));
            Text = larger;
        }

        return Text;
    }

    /// <summary><see cref="Kept"/> with room for so many bytes.</summary>
    public byte[] KeptOf(int size)
    {
        if (Kept.Length < size)
            Kept = new byte[size];
        return Kept;
    }
}
