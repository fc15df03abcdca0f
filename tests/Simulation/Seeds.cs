using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using AsyncLog.Tests.Run;

namespace AsyncLog.Tests;

/// <summary>Runs many seeds and prints those that fail with the command that replays them.</summary>
internal static class Seeds
{
    // Seeds whose failures are printed, and after which a run ends; a run of a number of its own looks for more.
    private static readonly int MostShown = Environment.GetEnvironmentVariable("SIMULATION_SEEDS") is null ? 5 : 100;

    static Seeds()
    {
        Trace.Listeners.Clear();
        Trace.Listeners.Add(new FailedAssertions());
    }

    public static int? Replayed => int.TryParse(Environment.GetEnvironmentVariable("SIMULATION_SEED"), CultureInfo.InvariantCulture, out var seed) ? seed : null;

    public static int Count(int usual)
        => int.TryParse(Environment.GetEnvironmentVariable("SIMULATION_SEEDS"), CultureInfo.InvariantCulture, out var count) ? count : usual;

    /// <summary>Runs the seeds of a range, and fails with the first ones that do, and if too little happened in them.</summary>
    public static void Check(int first, int count)
    {
        if (Replayed is { } replayed)
        {
            Replay(replayed);
            return;
        }

        Assert.SkipWhen(count <= 0, "the seeds that were asked for are those of another test");
        var failed = new ConcurrentBag<(int Seed, string Fault)>();
        var (records, kills, powerLosses) = (0L, 0L, 0L);
        Parallel.For(first, first + count, (seed, loop) =>
        {
            var run = Execute(seed, Mutant.None, trace: null);
            Interlocked.Add(ref records, run.Records.Count);
            Interlocked.Add(ref kills, run.Kills);
            Interlocked.Add(ref powerLosses, run.PowerLosses);
            if (FaultOf(run) is { } fault)
                failed.Add((seed, fault));
            if (failed.Count >= MostShown)
                loop.Stop();
        });
        if (!failed.IsEmpty)
            Assert.Fail(string.Join('\n', failed.OrderBy(static failure => failure.Seed).Select(static failure => $"{failure.Fault}\n  replay: {CommandOf(failure.Seed)}")));
        var happened = $"{count} seeds: {records} records, {kills} kills, {powerLosses} losses of power";
        TestContext.Current.TestOutputHelper?.WriteLine(happened);
        Assert.True(records >= 50L * count && kills >= count / 10 && powerLosses >= count / 10, happened);
    }

    /// <summary>Runs one seed.</summary>
    /// <returns>What is wrong; null: nothing.</returns>
    public static string? Run(int seed, Mutant mutant = Mutant.None, Action<string>? trace = null) => FaultOf(Execute(seed, mutant, trace));

    private static SimulationRun Execute(int seed, Mutant mutant, Action<string>? trace)
    {
        var run = new SimulationRun(seed, mutant, trace);
        run.Execute();
        return run;
    }

    private static string? FaultOf(SimulationRun run) => run.Fault is { } fault ? $"seed {run.Seed}: {fault}" : null;

    // Prints everything that happens in a run.
    private static void Replay(int seed)
    {
        using var output = new StreamWriter(Console.OpenStandardOutput());
        var fault = Run(seed, trace: output.WriteLine);
        output.Flush();
        Assert.Null(fault);
    }

    private static string CommandOf(int seed) => string.Create(CultureInfo.InvariantCulture, $"SIMULATION_SEED={seed} dotnet run --project tests/Simulation -c Release");

    // An assertion of the product is a fault of the run, unless it unwinds after its death.
    private sealed class FailedAssertions : TraceListener
    {
        public override void Fail(string? message, string? detailMessage)
        {
            if (SimulationRun.Current is { Process.IsDead: false } run)
                run.Fail($"an assertion failed: {message} {new StackTrace(fNeedFileInfo: false)}");
        }

        public override void Write(string? message)
        {
        }

        public override void WriteLine(string? message)
        {
        }
    }
}
