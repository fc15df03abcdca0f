namespace AsyncLog.Bench;

/// <summary>What a comparison has to show.</summary>
/// <param name="Style">The call style.</param>
/// <param name="Library">Whose cost.</param>
/// <param name="Word">How it reads.</param>
/// <param name="Peer">Compared with whom.</param>
/// <param name="Must">The most it may be.</param>
/// <param name="Goal">What we are after.</param>
/// <param name="Value">Mine and theirs in nanoseconds to what is compared.</param>
internal sealed record CallerGate(CallStyle Style, string Library, string Word, string Peer, double Must, double Goal, Func<double, double, double> Value)
{
    public static CallerGate Ratio(CallStyle style, string library, string peer, double must, double goal)
        => new(style, library, "to", peer, must, goal, static (mine, theirs) => mine / theirs);

    public static CallerGate Difference(CallStyle style, string library, string peer, double must, double goal)
        => new(style, library, "minus", peer, must, goal, static (mine, theirs) => mine - theirs);
}
