using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Bench;

/// <summary>Rounds over all runs of all modes, one process after the other, so that drift of the machine hits all alike.</summary>
internal sealed class Rounds(string root, string? jsonFile)
{
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

    private void Execute(IRun run, int round)
    {
        var directory = Path.Combine(root, "run");
        Directory.CreateDirectory(directory);
        try
        {
            var results = run.Execute(directory, round);
            Results.AddRange(results);
            if (jsonFile is not null)
                File.AppendAllLines(jsonFile, results.Select(static result => JsonSerializer.Serialize(result)));
        }
        catch (InvalidOperationException exception)
        {
            Failures.Add(string.Create(CultureInfo.InvariantCulture, $"round {round}, {run.Title}: {exception.Message}"));
            Console.Error.WriteLine(Failures[^1]);
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }
}
