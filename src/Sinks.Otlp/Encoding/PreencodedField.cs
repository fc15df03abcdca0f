namespace AsyncLog;

/// <summary>Encoded fields that many records share; short ones are copied as one block.</summary>
internal sealed class PreencodedField
{
    /// <summary>The bytes copied at once.</summary>
    public const int Block = 32;

    private readonly byte[] _padded;

    /// <param name="bytes">The fields; they are copied.</param>
    public PreencodedField(ReadOnlySpan<byte> bytes)
    {
        _padded = new byte[Math.Max(bytes.Length, Block)];
        bytes.CopyTo(_padded);
        Length = bytes.Length;
    }

    public int Length { get; }

    /// <summary>Copies the bytes.</summary>
    /// <param name="destination">At least <see cref="Length"/> and <see cref="Block"/> bytes long; what is behind the bytes is overwritten too.</param>
    public void CopyTo(Span<byte> destination)
    {
        if (Length <= Block)
            _padded.AsSpan(0, Block).CopyTo(destination);
        else
            _padded.CopyTo(destination);
    }
}
