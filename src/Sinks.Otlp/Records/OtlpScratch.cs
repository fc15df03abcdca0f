namespace AsyncLog;

/// <summary>Memory that the formatter reuses from record to record; each event object has its own.</summary>
internal sealed class OtlpScratch
{
    private const int KeptBytes = 128 * 1024;

    // A record that is truncated.
    private byte[] _kept = [];

    /// <summary>Holds a record that is too long for the output's memory.</summary>
    public ProtoOverflow Overflow { get; } = new();

    public PropertySelection Selection { get; } = new();

    /// <summary>Elements of containers written for the current value; bounds nested and repeated ones.</summary>
    public int Elements { get; set; }

    /// <summary>Releases memory that is far more than usual.</summary>
    public void Trim()
    {
        Overflow.Trim(KeptBytes);
        if (_kept.Length > KeptBytes)
            _kept = [];
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
