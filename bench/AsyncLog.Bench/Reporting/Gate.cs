namespace AsyncLog.Bench;

/// <summary>What a comparison has to show (performance.md section 4).</summary>
internal sealed record Gate
{
    public required string Mode { get; init; }

    public required string Load { get; init; }

    public required Figure Figure { get; init; }

    /// <summary>Whose figure.</summary>
    public required string Library { get; init; }

    /// <summary>Configurations of one peer, or peers of which the best counts; empty for a figure that stands alone.</summary>
    public IReadOnlyList<string> Peers { get; init; } = [];

    /// <summary>The peer's load; null is the same.</summary>
    public string? PeerLoad { get; init; }

    public GateKind Kind { get; init; } = GateKind.Ratio;

    /// <summary>Whether more is better, as for records per second.</summary>
    public bool AtLeast { get; init; }

    /// <summary>What has to be shown.</summary>
    public required double Must { get; init; }

    /// <summary>What we are after.</summary>
    public required double Goal { get; init; }
}
