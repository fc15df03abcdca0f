namespace AsyncLog;

/// <summary>Keeps frames, oldest first, in one bounded block of memory. Pure.</summary>
internal sealed class FrameCopy(int limit)
{
    private const int FirstSize = 16 << 10;
    private byte[] _bytes = [];
    private Kept[] _frames = new Kept[64];
    private int _start;
    private int _end;
    private int _first;
    private int _past;

    /// <summary>How many frames are kept.</summary>
    public int Count => _past - _first;

    /// <summary>Their bytes.</summary>
    public int ByteCount => _end - _start;

    /// <summary>On how many connections the oldest frame was cut off without proof.</summary>
    public int FirstBreaks => _frames[_first].Breaks;

    /// <summary>Where the oldest frame ends on the wire.</summary>
    public long FirstWireEnd => _frames[_first].WireEnd;

    /// <summary>Whether a frame of this length would be kept beside the others.</summary>
    public bool HasRoomFor(int length) => ByteCount + length <= limit;

    /// <summary>Keeps a frame; there has to be room, or nothing else.</summary>
    public void Add(ReadOnlySpan<byte> frame, long wireEnd)
    {
        MakeRoom(frame.Length);
        frame.CopyTo(_bytes.AsSpan(_end));
        _end += frame.Length;
        _frames[_past++] = new Kept(wireEnd, frame.Length);
    }

    /// <summary>Lets go of the oldest frame.</summary>
    public void RemoveFirst()
    {
        _start += _frames[_first++].Length;
        if (_first != _past)
            return;
        _start = _end = 0;
        _first = _past = 0;
    }

    /// <summary>The frames from one on, as many as fit a limit, at least one.</summary>
    /// <param name="index">0 is the oldest.</param>
    /// <param name="most">The most bytes, unless the first frame alone is larger.</param>
    /// <param name="frames">How many they are.</param>
    public ReadOnlySpan<byte> From(int index, int most, out int frames)
    {
        int at = _start;
        for (int i = 0; i < index; i++)
            at += LengthOf(i);
        int length = 0;
        frames = 0;
        while (index + frames < Count && (frames == 0 || length + LengthOf(index + frames) <= most))
            length += LengthOf(index + frames++);
        return _bytes.AsSpan(at, length);
    }

    public int LengthOf(int index) => _frames[_first + index].Length;

    /// <summary>Says where a frame ends on the wire of another connection.</summary>
    public void Move(int index, long wireEnd) => _frames[_first + index].WireEnd = wireEnd;

    /// <summary>The connection broke under the oldest frames.</summary>
    /// <param name="count">How many of them were on it.</param>
    public void NoteBreak(int count)
    {
        foreach (ref Kept frame in _frames.AsSpan(_first, count))
            frame.Breaks++;
    }

    private void MakeRoom(int length)
    {
        if (_end + length > _bytes.Length)
        {
            int kept = ByteCount;
            int size = Math.Max(FirstSize, Math.Min((kept + length) * 2, Math.Max(limit + (limit / 2), kept + length)));
            byte[] target = size > _bytes.Length ? new byte[size] : _bytes;
            _bytes.AsSpan(_start, kept).CopyTo(target);
            _bytes = target;
            _start = 0;
            _end = kept;
        }

        if (_past < _frames.Length)
            return;
        int count = Count;
        Kept[] frames = count > _frames.Length / 2 ? new Kept[_frames.Length * 2] : _frames;
        _frames.AsSpan(_first, count).CopyTo(frames);
        _frames = frames;
        _first = 0;
        _past = count;
    }

    private record struct Kept(long WireEnd, int Length, int Breaks = 0);
}
