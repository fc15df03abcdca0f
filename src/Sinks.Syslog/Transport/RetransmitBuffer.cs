using System.Diagnostics;
using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>Keeps frames that the peer's system has not acknowledged, to retransmit them on the next connection, and counts records that can be neither
/// retransmitted nor proved to have been read. Pure.</summary>
/// <remarks>A peer's system acknowledges what it has received, not what its program has read; it cannot hold more unread bytes than it once offered
/// to take. Bytes that many before the acknowledged ones are proved read.</remarks>
/// <param name="limit">The most bytes that are kept.</param>
/// <param name="keepsAcknowledged">True if what is not proved read is kept and retransmitted too.</param>
internal sealed class RetransmitBuffer(int limit, bool keepsAcknowledged)
{
    // Systems offer as little as half of their buffer, because small packets waste the other half; large ones fill it.
    private const int BufferPerWindow = 2;

    // Used if the system does not report acknowledgements: half of the most bytes that a peer's system holds unread.
    private const long AssumedWindow = 4 << 20;

    // Limit of retransmissions in that case: a peer that reads all and resets each connection would get the same records forever.
    private const int MaxTransmissionsAssumed = 3;

    private readonly FrameQueue _frames = new(limit);
    private readonly UnconfirmedCounter _unconfirmed = new();
    private int _onWire;
    private long _acknowledged;
    private long _window;
    private bool _isAssumed;

    /// <summary>True if there are frames not yet sent over the present connection.</summary>
    public bool HasPending => _onWire < _frames.Count;

    /// <summary>True if a frame waits for an acknowledgement that the system reports, or for retransmission.</summary>
    public bool IsWaiting => HasPending || (_frames.Count > 0 && !keepsAcknowledged && !_isAssumed);

    /// <summary>The length of the next pending frame.</summary>
    public int NextPendingBytes => _frames[_onWire].Length;

    /// <summary>Returns true if frames of this length are kept beside the others.</summary>
    public bool HasRoomFor(int length) => _frames.HasRoomFor(length);

    /// <summary>Keeps frames that were sent at once; none may be pending.</summary>
    /// <param name="wireEnd">The end of the last one on the wire.</param>
    /// <param name="isTransparent">True if each ends where its bytes end; else all end with the last one.</param>
    /// <param name="isNotice">True if they are no records of the application: none of them is ever counted.</param>
    public void Add(ReadOnlySpan<byte> frames, ReadOnlySpan<int> lengths, long wireEnd, bool isTransparent, bool isNotice = false)
    {
        Debug.Assert(!HasPending, "A new frame went out before a pending one.");
        while (_frames.Count > 0 && !_frames.HasRoomFor(frames.Length))
            RemoveFirst(isUnconfirmed: true);
        _frames.Add(frames, lengths, wireEnd, isTransparent, isNotice);
        _onWire += lengths.Length;
    }

    /// <summary>Releases the bytes that the peer's system has acknowledged.</summary>
    public void Acknowledge(long acknowledged, long window)
    {
        _window = Math.Max(_window, window * BufferPerWindow);
        AcknowledgeRead(acknowledged, acknowledged - _window);
    }

    /// <summary>Releases the bytes that the peer's system has.</summary>
    /// <param name="proved">Of these, what its program has read.</param>
    public void AcknowledgeRead(long acknowledged, long proved)
    {
        _acknowledged = acknowledged;
        long released = keepsAcknowledged ? proved : acknowledged;
        while (_onWire > 0 && _frames[0].WireEnd <= released)
            RemoveFirst(isUnconfirmed: !keepsAcknowledged);
        _unconfirmed.Forget(proved);
    }

    /// <summary>Releases bytes that must have been acknowledged by now, where the system does not report acknowledgements.</summary>
    public void AssumeAcknowledged(long acknowledged)
    {
        _isAssumed = true;
        Acknowledge(Math.Max(acknowledged, _acknowledged), AssumedWindow);
    }

    /// <summary>Returns the next frames not yet sent over the present connection.</summary>
    /// <param name="maxBytes">The most bytes, unless the first frame alone is larger.</param>
    public ReadOnlySpan<byte> Pending(int maxBytes, out int frames) => _frames.From(_onWire, maxBytes, out frames);

    /// <summary>Records that the next pending frame was sent over the present connection.</summary>
    public void Retransmitted(long wireEnd) => _frames[_onWire++].WireEnd = wireEnd;

    /// <summary>Ends a connection: all kept frames become pending, except those acknowledged before a normal end.</summary>
    /// <param name="isAbnormal">True if the peer may have discarded what its system had acknowledged.</param>
    /// <returns>Number of records that become uncertain.</returns>
    public int EndConnection(bool isAbnormal)
    {
        int uncertain = _unconfirmed.CountBehind(isAbnormal ? long.MinValue : _acknowledged);
        _unconfirmed.Clear();
        while (!isAbnormal && _onWire > 0 && _frames[0].WireEnd <= _acknowledged)
            RemoveFirst(isUnconfirmed: false);
        if (_isAssumed && !keepsAcknowledged)
            uncertain += RemoveOftenSent();
        _onWire = 0;
        _acknowledged = 0;
        _window = 0;
        _isAssumed = false;
        return uncertain;
    }

    /// <summary>Ends the last connection: nothing will be retransmitted.</summary>
    /// <returns>Number of uncertain records.</returns>
    public int Close(bool isAbnormal)
    {
        int uncertain = EndConnection(isAbnormal);
        return uncertain + _frames.Records;
    }

    private int RemoveOftenSent()
    {
        for (int i = 0; i < _onWire; i++)
            _frames[i].Transmissions++;
        int before = _frames.Records;
        while (_onWire > 0 && _frames[0].Transmissions >= MaxTransmissionsAssumed)
            RemoveFirst(isUnconfirmed: false);
        return before - _frames.Records;
    }

    private void RemoveFirst(bool isUnconfirmed)
    {
        if (isUnconfirmed && !_frames[0].IsNotice)
            _unconfirmed.Add(_frames[0].WireEnd);
        _frames.RemoveFirst();
        _onWire--;
    }

    private record struct Frame(long WireEnd, int Length, bool IsNotice)
    {
        /// <summary>Number of connections over which it was sent without an acknowledgement.</summary>
        public int Transmissions { get; set; }
    }

    /// <summary>Frames, oldest first, contiguous in one bounded array.</summary>
    private sealed class FrameQueue(int limit)
    {
        private const int FirstSize = 16 << 10;
        private readonly List<Frame> _frames = [];
        private byte[] _bytes = [];
        private int _start;
        private int _end;
        private int _first;

        public int Count => _frames.Count - _first;

        /// <summary>Those of the frames that are records of the application.</summary>
        public int Records { get; private set; }

        /// <summary>A frame; 0 is the oldest.</summary>
        public ref Frame this[int index] => ref CollectionsMarshal.AsSpan(_frames)[_first + index];

        /// <summary>Returns true if a frame of this length would be kept beside the others.</summary>
        public bool HasRoomFor(int length) => _end - _start + length <= limit;

        public void Add(ReadOnlySpan<byte> frames, ReadOnlySpan<int> lengths, long wireEnd, bool isTransparent, bool isNotice)
        {
            Debug.Assert(Count == 0 || HasRoomFor(frames.Length), "Frames are kept within the limit.");
            if (_end + frames.Length > _bytes.Length)
                MakeRoom(frames.Length);
            frames.CopyTo(_bytes.AsSpan(_end));
            _end += frames.Length;
            int before = _frames.Count;
            CollectionsMarshal.SetCount(_frames, before + lengths.Length);
            Span<Frame> added = CollectionsMarshal.AsSpan(_frames)[before..];
            long end = isTransparent ? wireEnd - frames.Length : wireEnd;
            for (int i = 0; i < added.Length; i++)
            {
                if (isTransparent)
                    end += lengths[i];
                added[i] = new Frame(end, lengths[i], isNotice);
            }

            if (!isNotice)
                Records += lengths.Length;

            Debug.Assert(lengths.IsEmpty || Count == lengths.Length || this[Count - lengths.Length].WireEnd >= this[Count - lengths.Length - 1].WireEnd, "Frames are kept in their order on the wire.");
        }

        public void RemoveFirst()
        {
            _start += this[0].Length;
            if (!this[0].IsNotice)
                Records--;
            _first++;
            if (Count == 0)
                _start = _end = 0;
            // Half of the list at a time: each frame is moved at most once on average.
            if (_first < _frames.Count - _first)
                return;
            _frames.RemoveRange(0, _first);
            _first = 0;
        }

        /// <summary>The bytes of the frames from <paramref name="index"/> on, as many as fit <paramref name="maxBytes"/>, at least one.</summary>
        public ReadOnlySpan<byte> From(int index, int maxBytes, out int count)
        {
            int at = _start;
            for (int i = 0; i < index; i++)
                at += this[i].Length;
            int length = 0;
            count = 0;
            while (index + count < Count && (count == 0 || length + this[index + count].Length <= maxBytes))
                length += this[index + count++].Length;
            return _bytes.AsSpan(at, length);
        }

        private void MakeRoom(int length)
        {
            int kept = _end - _start;
            int size = Math.Max(FirstSize, Math.Min((kept + length) * 2, Math.Max(limit + (limit / 2), kept + length)));
            byte[] target = size > _bytes.Length ? new byte[size] : _bytes;
            _bytes.AsSpan(_start, kept).CopyTo(target);
            _bytes = target;
            (_start, _end) = (0, kept);
        }
    }

    /// <summary>Counts records that were sent and are not kept: by where they end on the wire, in steps of a few KB, so that it stays small.</summary>
    private sealed class UnconfirmedCounter
    {
        private const long Step = 4096;
        private readonly Queue<(long End, int Count)> _full = new();
        private (long Start, long End, int Count) _last;

        /// <summary>Adds a record.</summary>
        /// <param name="end">Its end on the wire; never less than before.</param>
        public void Add(long end)
        {
            Debug.Assert(_last.Count == 0 || end >= _last.End, "Records end in the order in which they were sent.");
            if (_last.Count > 0 && end - _last.Start > Step)
            {
                _full.Enqueue((_last.End, _last.Count));
                _last = default;
            }

            _last = _last.Count == 0 ? (end, end, 1) : (_last.Start, end, _last.Count + 1);
        }

        /// <summary>Removes records that end at or before an offset.</summary>
        public void Forget(long end)
        {
            while (_full.TryPeek(out var first) && first.End <= end)
                _full.Dequeue();
            if (_last.End <= end)
                _last = default;
        }

        /// <summary>Returns the number of records that end behind an offset; a step that straddles it counts whole.</summary>
        public int CountBehind(long end)
        {
            int count = _last.End > end ? _last.Count : 0;
            foreach (var (stepEnd, records) in _full)
                count += stepEnd > end ? records : 0;
            return count;
        }

        public void Clear()
        {
            _full.Clear();
            _last = default;
        }
    }
}
