namespace AsyncLog;

/// <summary>The members of one JSON object in the making: of equal keys the last wins and takes the last place.</summary>
internal ref struct JsonMembers
{
    private readonly RecordBuffer _output;
    private readonly Span<int> _starts;
    private readonly Span<int> _keyLengths;
    private int _count;

    /// <summary>Opens the object; <paramref name="room"/> is as long as <see cref="Room"/> says.</summary>
    public JsonMembers(RecordBuffer output, Span<int> room)
    {
        _output = output;
        _starts = room[..(room.Length / 2)];
        _keyLengths = room[(room.Length / 2)..];
        output.Append("{"u8);
    }

    public static int Room(int members) => members * 2;

    /// <summary>Writes the key; the caller writes the value next.</summary>
    public void Start(scoped ReadOnlySpan<byte> key, EscapeStyle style)
    {
        // Every member begins with a comma; the first one goes when the object is closed.
        var start = _output.Length;
        var writer = new Utf8Writer(_output);
        writer.Write((byte)',');
        JsonText.WriteString(ref writer, key, style);
        writer.Write((byte)':');
        writer.Flush();
        if (_output.IsTruncated)
            return;
        var keyLength = _output.Length - start;
        start -= Forget(_output.WrittenSpan[start..]);
        _starts[_count] = start;
        _keyLengths[_count++] = keyLength;
    }

    public void Close()
    {
        if (_count > 0 && !_output.IsTruncated)
            _output.Remove(_starts[0], 1);
        _output.Append("}"u8);
    }

    /// <summary>Takes out the earlier member with the same key, if there is one; gives back its length.</summary>
    private int Forget(scoped ReadOnlySpan<byte> key)
    {
        for (var i = 0; i < _count; i++)
        {
            if (_keyLengths[i] != key.Length || !_output.WrittenSpan.Slice(_starts[i], key.Length).SequenceEqual(key))
                continue;
            var end = i + 1 < _count ? _starts[i + 1] : _output.Length - key.Length;
            var length = end - _starts[i];
            _output.Remove(_starts[i], length);
            for (var j = i + 1; j < _count; j++)
            {
                _starts[j - 1] = _starts[j] - length;
                _keyLengths[j - 1] = _keyLengths[j];
            }
            _count--;
            return length;
        }
        return 0;
    }
}
