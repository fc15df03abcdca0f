namespace AsyncLog;

/// <summary>Buffers that the formatters of one event object reuse for each record.</summary>
internal sealed class SyslogScratch
{
    private const int FirstKeptBytes = 4096;
    private const int KeptBytes = 128 << 10;
    private const int KeptParameters = 512;

    /// <summary>A record for an output that is no <see cref="RecordBuffer"/>.</summary>
    public RecordBuffer Record { get; } = new();

    /// <summary>Text as UTF-8 before it is escaped: a value, or message and exception together.</summary>
    public RecordBuffer Text { get; } = new();

    /// <summary>Structured data that a truncated record keeps.</summary>
    public byte[] Kept { get; private set; } = [];

    /// <summary>Positions of the record's parameters, so that truncation can leave some out without rendering again.</summary>
    public List<Parameter> Parameters { get; private set; } = [];

    public PropertySelection Selection { get; } = new();

    public UniqueParamNames Names { get; } = new();

    /// <summary>The room for structured data, once it is known that the record has to be truncated.</summary>
    public StructuredDataBudget? Budget { get; set; }

    /// <summary>Begins a record after bytes that stay free.</summary>
    public static Utf8Writer Begin(RecordBuffer record, int free)
    {
        record.Reset(int.MaxValue);
        var writer = new Utf8Writer(record);
        writer.GetSpan(free);
        writer.Advance(free);
        return writer;
    }

    /// <summary>Releases memory that is far more than usual.</summary>
    public void Trim()
    {
        Record.Trim(KeptBytes);
        Text.Trim(KeptBytes);
        if (Kept.Length > KeptBytes)
            Kept = [];
        if (Parameters.Capacity > KeptParameters)
            Parameters = [];
    }

    /// <summary>Copies bytes to <see cref="Text"/>, so that they can be written again at their place.</summary>
    public ReadOnlySpan<byte> CopyOf(ReadOnlySpan<byte> bytes)
    {
        Text.Reset(int.MaxValue);
        Text.Append(bytes);
        return Text.WrittenSpan;
    }

    /// <summary><see cref="Kept"/> with room for so many bytes.</summary>
    public Span<byte> KeptOf(int size)
    {
        if (Kept.Length < size)
            Kept = new byte[Math.Max(size, FirstKeptBytes)];
        return Kept;
    }
}
