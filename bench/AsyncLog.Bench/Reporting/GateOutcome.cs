namespace AsyncLog.Bench;

/// <summary>A gate and what the rounds say to it.</summary>
/// <param name="Gate">The gate.</param>
/// <param name="Peer">Which of its peers was the best one; empty for a figure that stands alone.</param>
/// <param name="Values">The comparisons of the rounds.</param>
internal sealed record GateOutcome(Gate Gate, string Peer, Spread Values)
{
    public GateVerdict Verdict => double.IsNaN(Values.Median) ? GateVerdict.NotMeasured
        : Holds(Gate.Goal) ? GateVerdict.Goal
        : Holds(Gate.Must) ? GateVerdict.Ok
        : GateVerdict.Missed;

    /// <summary>The gate's verdict in a word.</summary>
    public string Word => Verdict switch
    {
        GateVerdict.Goal => "goal",
        GateVerdict.Ok => "ok",
        GateVerdict.Missed => "MISSED",
        _ => "-",
    };

    /// <summary>Compares round by round with the peer whose median is the best.</summary>
    public static GateOutcome Of(Gate gate, IReadOnlyList<BenchResult> results)
    {
        var mine = Rounds(gate, gate.Load, gate.Library, results);
        if (gate.Kind == GateKind.Value)
            return new GateOutcome(gate, "", Spread.Of(mine.Values));
        var peers = gate.Peers.Select(peer => (Name: peer, Rounds: Rounds(gate, gate.PeerLoad ?? gate.Load, peer, results))).Where(static peer => peer.Rounds.Count > 0).ToList();
        if (peers.Count == 0)
            return new GateOutcome(gate, gate.Peers[0], Spread.Of([]));
        var best = gate.AtLeast ? peers.MaxBy(static peer => Spread.Of(peer.Rounds.Values).Median) : peers.MinBy(static peer => Spread.Of(peer.Rounds.Values).Median);
        return new GateOutcome(gate, best.Name, Spread.Of(mine.Where(round => best.Rounds.ContainsKey(round.Key)).Select(round => Compare(gate.Kind, round.Value, best.Rounds[round.Key]))));
    }

    private static double Compare(GateKind kind, double mine, double theirs) => kind == GateKind.Difference ? mine - theirs : mine / theirs;

    private static Dictionary<(string Invocation, int Round), double> Rounds(Gate gate, string load, string library, IEnumerable<BenchResult> results) => results
        .Where(result => result.Mode == gate.Mode && result.Load == load && result.Library == library && result.Values.ContainsKey(gate.Figure.Key))
        .ToDictionary(static result => (result.Invocation, result.Round), result => result.Values[gate.Figure.Key] / gate.Figure.Scale);

    private bool Holds(double bound) => Gate.AtLeast ? Values.Median >= bound : Values.Median <= bound;
}

/// <summary>How a gate came out.</summary>
internal enum GateVerdict
{
    /// <summary>Not in this run.</summary>
    NotMeasured,

    Missed,

    /// <summary>What had to be shown is shown.</summary>
    Ok,

    Goal,
}
