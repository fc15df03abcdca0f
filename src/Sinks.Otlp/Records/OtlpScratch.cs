namespace AsyncLog;

/// <summary>Memory that one thread reuses from record to record.</summary>
internal sealed class OtlpScratch
{
    private const int KeptBytes = 128 * 1024;

    [ThreadStatic]
    private static OtlpScratch? _free;

    // A record that is truncated.
    private byte[] _kept = [];

    /// <summary>Holds a record that is too long for the output's memory.</summary>
    public ProtoOverflow Overflow { get; } = new();

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

    /// <summary>Returns the scratch to the thread, without memory that is far more than usual.</summary>
    public void Return()
    {
        Overflow.Trim(KeptBytes);
        if (_kept.Length > KeptBytes)
            _kept = [];
        _free = this;
    }

    /// <summary>Copies bytes; the copy is valid until the next call.</summary>
    public ReadOnlySpan<byte> Keep(ReadOnlySpan<byte> bytes)
    {
        if (_kept.Length < bytes.Length)
            _kept = new byte[bytes.Length];
        bytes.CopyTo(_kept);
        return _kept.AsSpan(0, bytes.Length);
    }
}
