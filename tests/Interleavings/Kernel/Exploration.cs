namespace AsyncLog.Tests.Kernel;

/// <summary>The entry of this assembly, and of each mutant's.</summary>
internal static class Exploration
{
    /// <summary>Tries every interleaving of a plan.</summary>
    /// <param name="plan">Its index in <see cref="Plan.All"/>.</param>
    /// <param name="preemptionBound">How often a thread that could go on may be interrupted, 0: what the plan says.</param>
    /// <returns>The failure, or null; and how many interleavings and states there were.</returns>
    public static (string? Failure, int Interleavings, int States) Run(int plan, int preemptionBound)
    {
        var chosen = Plan.All[plan];
        using var scheduler = new Scheduler(() => new KernelScenario(chosen), preemptionBound == 0 ? chosen.PreemptionBound : preemptionBound, chosen.BuffersStores);
        var failure = scheduler.Explore();
        return (failure, scheduler.Interleavings, scheduler.States);
    }
}
