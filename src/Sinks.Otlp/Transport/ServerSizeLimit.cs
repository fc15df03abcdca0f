namespace AsyncLog;

/// <summary>Remembers which sizes of requests the server refused and accepted, so that only the first batch pays for its limit. Sizes are bytes before
/// compression. Worker only.</summary>
internal sealed class ServerSizeLimit(TimeProvider timeProvider)
{
    // A limit that was raised is noticed after this time, at the cost of one refused request.
    private static readonly TimeSpan Memory = TimeSpan.FromMinutes(10);
    private int _accepted;
    private int? _named;
    private long _refusedAt;

    /// <summary>The smallest refused size; null: none was refused.</summary>
    public int? Refused { get; private set; }

    /// <summary>The size that the next request should not exceed.</summary>
    public int MaxBytes
    {
        get
        {
            if (Refused is not { } refused)
                return int.MaxValue;
            int known = Limit ?? refused - 1;
            return IsFresh ? known : (int)Math.Min(2L * known, int.MaxValue);
        }
    }

    private bool IsFresh => timeProvider.GetElapsedTime(_refusedAt) < Memory;

    /// <summary>A size that the server accepts, not much below those that it refuses; null: not known yet, as only much smaller ones were accepted.</summary>
    public int? Limit => _named ?? (_accepted >= Refused / 4 ? _accepted : null);

    /// <summary>Notes an accepted request.</summary>
    /// <returns>True if the server refused this size, or a smaller one, before.</returns>
    public bool Accept(int bytes)
    {
        bool isRaised = bytes >= Refused;
        if (isRaised)
            Refused = null;
        if (bytes > _named)
            _named = null;
        _accepted = Math.Max(_accepted, bytes);
        return isRaised;
    }

    /// <summary>Notes a request that the server found too large.</summary>
    /// <param name="named">The limit that the server names; null: none.</param>
    /// <returns>False if the request was the attempt at a larger one.</returns>
    public bool Refuse(int bytes, int? named)
    {
        bool isNew = Refused is null || IsFresh;
        if (!(bytes >= Refused))
            Refused = bytes;
        // The limit was lowered.
        if (_accepted >= Refused)
            _accepted = 0;
        _named = named < Refused ? named : null;
        _refusedAt = timeProvider.GetTimestamp();
        return isNew;
    }
}
