namespace AsyncLog;

/// <summary>Holds as much of an answer as is read: never more than a limit, and never room that the peer only announced.</summary>
internal sealed class AnswerBody
{
    /// <summary>The most bytes that are read of an answer.</summary>
    public const int Limit = 4 << 20;

    private const int UsualBytes = 4 << 10;
    private byte[] _bytes = new byte[UsualBytes];
    private int _length;

    /// <summary>What was read.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _length);

    /// <summary>Forgets the answer before.</summary>
    public void Clear()
    {
        _length = 0;
        if (_bytes.Length > UsualBytes)
            _bytes = new byte[UsualBytes];
    }

    /// <summary>Reads until the end or the limit.</summary>
    /// <returns>Whether the end was reached.</returns>
    public bool Read(Stream stream)
    {
        while (TryMakeRoom())
        {
            int read = stream.Read(_bytes.AsSpan(_length));
            if (read == 0)
                return true;
            _length += read;
        }

        return false;
    }

    /// <inheritdoc cref="Read"/>
    public async ValueTask<bool> ReadAsync(Stream stream, CancellationToken cancellationToken)
    {
        while (TryMakeRoom())
        {
            int read = await stream.ReadAsync(_bytes.AsMemory(_length), cancellationToken).ConfigureAwait(false);
            if (read == 0)
                return true;
            _length += read;
        }

        return false;
    }

    // False at the limit.
    private bool TryMakeRoom()
    {
        if (_length == _bytes.Length)
            Array.Resize(ref _bytes, Math.Min(2 * _length, Limit));
        return _length < Limit;
    }
}
