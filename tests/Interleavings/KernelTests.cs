using AsyncLog.Tests.Kernel;

namespace AsyncLog.Tests;

/// <summary>The kernel of the queue under every interleaving of its steps, and what the scenarios find in kernels with a defect.</summary>
public sealed class KernelTests
{
    public static TheoryData<string> Plans => [.. Plan.All.Select(static plan => plan.Name)];

    public static TheoryData<string> Mutants => [.. KernelMutant.All.Select(static mutant => mutant.Name)];

    [Theory]
    [MemberData(nameof(Plans))]
    public void No_interleaving_fails(string name)
    {
        var plan = Plan.All.ToList().FindIndex(plan => plan.Name == name);
        var (failure, interleavings, states) = Exploration.Run(plan, preemptionBound: 0);
        TestContext.Current.TestOutputHelper?.WriteLine($"{name}: {interleavings} interleavings, {states} states");
        Assert.True(failure is null, failure);
        Assert.True(interleavings >= 20 && states >= 100, $"{interleavings} interleavings, {states} states");
    }

    // Otherwise every defect would be found.
    [Fact]
    public void No_interleaving_fails_without_a_defect() => Assert.Null(new KernelMutant("no defect", "SegmentKernel.cs") { In = "three records in segments of one" }.Run());

    [Theory]
    [MemberData(nameof(Mutants))]
    public void An_interleaving_fails_with(string defect)
    {
        var failure = KernelMutant.All.Single(mutant => mutant.Name == defect).Run();
        Assert.True(failure is not null, "No interleaving fails.");
        TestContext.Current.TestOutputHelper?.WriteLine(failure);
    }
}
