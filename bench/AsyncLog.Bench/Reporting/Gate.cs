namespace AsyncLog.Bench;

/// <summary>What a comparison has to show.</summary>
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

    /// <summary>What it compares, without the bounds: the same from commit to commit.</summary>
    public string Subject => $"{Mode}, {Load}: {Figure.Heading} of {Library}" + Kind switch
    {
        GateKind.Value => "",
        GateKind.Difference => " minus " + string.Join('/', Peers),
        _ => " to " + string.Join('/', Peers),
    } + (PeerLoad is null ? "" : ", " + PeerLoad);
}

/// <summary>How two figures are compared.</summary>
internal enum GateKind
{
    /// <summary>Ours divided by theirs.</summary>
    Ratio,

    /// <summary>Ours minus theirs, in the unit of the table.</summary>
    Difference,

    /// <summary>Ours alone, in the unit of the table.</summary>
    Value,
}
