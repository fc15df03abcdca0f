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

    /// <summary>Runs the seeds of a range, and fails with the first ones that do.</summary>
    public static void Check(int first, int count)
    {
        if (Replayed is { } replayed)
        {
            Replay(replayed);
            return;
        }

        var failed = new ConcurrentBag<(int Seed, string Fault)>();
        Parallel.For(first, first + count, (seed, loop) =>
        {
            if (Run(seed) is { } fault)
                failed.Add((seed, fault));
            if (failed.Count >= MostShown)
                loop.Stop();
        });
        if (!failed.IsEmpty)
            Assert.Fail(string.Join('\n', failed.OrderBy(static failure => failure.Seed).Select(static failure => $"{failure.Fault}\n  replay: {CommandOf(failure.Seed)}")));
    }

    /// <summary>Runs one seed.</summary>
    /// <returns>What is wrong; null: nothing.</returns>
    public static string? Run(int seed, Mutant mutant = Mutant.None, Action<string>? trace = null)
    {
        var run = new SimulationRun(seed, mutant, trace);
        run.Execute();
        return run.Fault is { } fault ? $"seed {seed}: {fault}" : null;
    }

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
