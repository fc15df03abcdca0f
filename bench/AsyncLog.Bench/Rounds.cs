using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Bench;

/// <summary>Rounds over all runs of all modes, one process after the other, so that drift of the machine hits all alike.</summary>
internal sealed class Rounds(string root, string? jsonFile)
{
    private const int Attempts = 3;

    /// <summary>What was measured.</summary>
    public List<BenchResult> Results { get; } = [];

    /// <summary>Runs that gave no result, and why: a record lost is not a result.</summary>
    public List<string> Failures { get; } = [];

    public void Run(IReadOnlyList<(IMode Mode, IReadOnlyList<IRun> Runs)> plan, int rounds)
    {
        for (var round = 1; round <= rounds; round++)
        {
            foreach (var (mode, runs) in plan)
            {
                foreach (var run in runs)
                    Execute(run, round);
                Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"round {round} of {rounds}: {mode.Name}"));
            }
        }
    }

    // A busy moment of the machine fills a short queue: such a run is no result, and another attempt is fair to everybody.
    private void Execute(IRun run, int round)
    {
        var failure = "";
        for (var attempt = 1; attempt <= Attempts; attempt++)
        {
            try
            {
                Keep(ExecuteOnce(run, round));
                return;
            }
            catch (Exception exception) when (exception is InvalidOperationException or IOException or JsonException or FormatException or KeyNotFoundException)
            {
                failure = string.Create(CultureInfo.InvariantCulture, $"round {round}, {run.Title}: {exception.Message.Trim()}");
                Console.Error.WriteLine(failure);
            }
        }

        Failures.Add(failure);
    }

    private IReadOnlyList<BenchResult> ExecuteOnce(IRun run, int round)
    {
        var directory = Path.Combine(root, "run");
        Directory.CreateDirectory(directory);
        try
        {
            return run.Execute(directory, round);
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private void Keep(IReadOnlyList<BenchResult> results)
    {
        Results.AddRange(results);
        if (jsonFile is not null)
            File.AppendAllLines(jsonFile, results.Select(static result => JsonSerializer.Serialize(result)));
    }
}
