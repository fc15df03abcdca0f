namespace AsyncLog;

/// <summary>Keeps what the peer's system has not acknowledged, to send it again on the next connection, and knows what can be neither sent again nor
/// proved to have been read. Pure.</summary>
/// <remarks>A peer's system acknowledges what it has received, not what its program has read; it cannot hold more unread bytes than it once offered
/// to take. Whatever was acknowledged that much earlier is proved read.</remarks>
internal sealed class SentRecords
{
    // Systems offer as little as half of their buffer, because small packets waste the other half; large ones fill it.
    private const int BufferPerWindow = 2;

    // Where the system does not report acknowledgements: half of what a peer's system holds unread at most.
    private const long AssumedWindow = 4 << 20;

    // Where it does not, a peer that reads everything and resets each connection would get the same records for ever.
    private const int MostBreaksAssumed = 3;

    private readonly FrameCopy _copy;
    private readonly UnprovedRecords _unproved = new();
    private readonly bool _keepsAcknowledged;
    private int _onWire;
    private long _acknowledged;
    private long _window;
    private bool _isAssumed;

    /// <param name="limit">The most bytes that are kept.</param>
    /// <param name="keepsAcknowledged">Whether what is not proved read is kept and sent again too.</param>
    public SentRecords(int limit, bool keepsAcknowledged)
    {
        _copy = new FrameCopy(limit);
        _keepsAcknowledged = keepsAcknowledged;
    }

    /// <summary>Whether there are records that the present connection has not got yet.</summary>
    public bool HasPending => _onWire < _copy.Count;

    /// <summary>Whether something waits for an acknowledgement that the system will report, or to be sent again.</summary>
    public bool IsWaiting => HasPending || (_copy.Count > 0 && !_keepsAcknowledged && !_isAssumed);

    /// <summary>Keeps a frame that was handed over; nothing may be pending.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="wireEnd">Where it ends on the wire.</param>
    public void Add(ReadOnlySpan<byte> frame, long wireEnd)
    {
        while (_copy.Count > 0 && !_copy.HasRoomFor(frame.Length))
            RemoveFirst(isUnproved: true);
        _copy.Add(frame, wireEnd);
        _onWire++;
    }

    /// <summary>Takes note of what the peer's system said.</summary>
    public void Acknowledge(long acknowledged, long window)
    {
        _acknowledged = acknowledged;
        _window = Math.Max(_window, window * BufferPerWindow);
        long proved = acknowledged - _window;
        long released = _keepsAcknowledged ? proved : acknowledged;
        while (_onWire > 0 && _copy.FirstWireEnd <= released)
            RemoveFirst(isUnproved: !_keepsAcknowledged);
        _unproved.Forget(proved);
    }

    /// <summary>This system does not report acknowledgements; takes note of what must have been acknowledged by now.</summary>
    public void Assume(long acknowledged)
    {
        _isAssumed = true;
        Acknowledge(Math.Max(acknowledged, _acknowledged), AssumedWindow);
    }

    /// <summary>The next frames that the present connection has not got.</summary>
    public ReadOnlySpan<byte> Pending(int most, out int frames) => _copy.From(_onWire, most, out frames);

    /// <summary>The length of the next pending frame.</summary>
    public int LengthOfNextPending => _copy.LengthOf(_onWire);

    /// <summary>The connection has got the next pending frame.</summary>
    public void Resent(long wireEnd) => _copy.Move(_onWire++, wireEnd);

    /// <summary>The connection is over: all that is kept is pending, except what was acknowledged before a normal end.</summary>
    /// <param name="isAbnormal">Whether the peer may have thrown away what its system had acknowledged.</param>
    /// <returns>How many records are uncertain by that.</returns>
    public int Break(bool isAbnormal)
    {
        int uncertain = _unproved.CountBehind(isAbnormal ? long.MinValue : _acknowledged);
        _unproved.Clear();
        while (!isAbnormal && _onWire > 0 && _copy.FirstWireEnd <= _acknowledged)
            RemoveFirst(isUnproved: false);
        if (_isAssumed && !_keepsAcknowledged)
            uncertain += LetGoOfTheOftenSent();
        _onWire = 0;
        _acknowledged = 0;
        _window = 0;
        _isAssumed = false;
        return uncertain;
    }

    /// <summary>Nothing will be sent again.</summary>
    /// <returns>How many records are uncertain.</returns>
    public int End(bool isAbnormal)
    {
        int uncertain = Break(isAbnormal);
        return uncertain + _copy.Count;
    }

    private int LetGoOfTheOftenSent()
    {
        _copy.NoteBreak(_onWire);
        int before = _onWire;
        while (_onWire > 0 && _copy.FirstBreaks >= MostBreaksAssumed)
            RemoveFirst(isUnproved: false);
        return before - _onWire;
    }

    private void RemoveFirst(bool isUnproved)
    {
        if (isUnproved)
            _unproved.Add(_copy.FirstWireEnd, 1);
        _copy.RemoveFirst();
        _onWire--;
    }
}
