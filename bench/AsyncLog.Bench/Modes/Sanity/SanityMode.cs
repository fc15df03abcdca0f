namespace AsyncLog.Bench;

/// <summary>Mode <c>sanity</c>: costs that every library pays. A noisy or different machine shows here first.</summary>
internal sealed class SanityMode : IMode
{
    public static readonly Figure Clock = new("clock", "clock ns", "F1") { HasRange = true };
    public static readonly Figure Atomic = new("atomic", "atomic add ns", "F1") { HasRange = true };
    public static readonly Figure Wake = new("wake", "waking a sleeper us", "F1", 1_000) { HasRange = true };
    public static readonly Figure Append = new("append", "64 KiB append us", "F1", 1_000) { HasRange = true };
    public static readonly Figure Sleep = new("sleep", "sleeping 1 ms takes us", "F0", 1_000) { HasRange = true };
    public static readonly Figure SleepShare = new("sleepShare", "its % of a core", "F1", 0.01) { HasRange = true };
    public static readonly Figure Gap = new("gap", "longest gap in 2 ms, us", "F1", 1_000) { HasRange = true };
    public static readonly Figure Load = new("load", "load", "F2") { HasRange = true };

    public string Name => "sanity";

    public MethodText Method { get; } =
        "Measured in every round: reading the clock, an uncontended atomic addition, the call that wakes a sleeping thread, an append of 64 KiB to a file in the log directory, `Thread.Sleep(1)` in a loop, the longest gap between two looks at the clock in 2 ms, which nine of ten such times do not exceed, "
        + "and the system's load average. The ranges show whether other programs used the machine.";

    public IReadOnlyList<Figure> Figures { get; } = [Clock, Atomic, Wake, Append, Sleep, SleepShare, Gap, Load];

    public IReadOnlyList<Gate> Gates => [];

    public IReadOnlyList<IRun> Plan(BenchArguments arguments) => [new SanityRun()];
}
