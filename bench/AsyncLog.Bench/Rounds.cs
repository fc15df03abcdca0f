using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Bench;

/// <summary>The runs of one invocation, round after round over all libraries, so that drift of the machine hits all alike. Every second round goes backwards.</summary>
internal sealed class Rounds
{
    /// <summary>How often a run is tried in a round.</summary>
    public const int Attempts = 3;

    private readonly string _root;
    private readonly string? _jsonFile;
    private readonly string _invocation;

    public Rounds(string root, string? jsonFile, BenchResult invocation)
    {
        _root = root;
        _jsonFile = jsonFile;
        _invocation = invocation.Invocation;
        Keep(invocation);
    }

    /// <summary>Everything that was found: the invocation, what was measured, and attempts that failed.</summary>
    public List<BenchResult> Results { get; } = [];

    public void Run(IReadOnlyList<IRun> plan, BenchArguments arguments)
    {
        var length = new PlanLength(plan.Sum(static run => run.Seconds));
        var rounds = length.Rounds(arguments);
        var start = TimeProvider.System.GetUtcNow();
        Console.Error.WriteLine($"{length.Text(rounds)}, until {Clock(start.AddSeconds(length.RoundSeconds * rounds))}");
        for (var round = 1; round <= rounds; round++)
        {
            foreach (var run in round % 2 == 1 ? plan : plan.Reverse())
                Execute(run, round);
            var now = TimeProvider.System.GetUtcNow();
            Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"round {round} of {rounds} ended at {Clock(now)}, the last will at {Clock(now + (now - start) / round * (rounds - round))}"));
        }
    }

    private static string Clock(DateTimeOffset time) => time.ToString("HH:mm", CultureInfo.InvariantCulture) + "Z";

    // A busy moment of the machine fills a short queue: such a run is no result. Every library gets the same number of attempts, and each one is recorded.
    private void Execute(IRun run, int round)
    {
        for (var attempt = 1; attempt <= Attempts; attempt++)
        {
            try
            {
                foreach (var result in ExecuteOnce(run, round))
                    Keep(result with { Invocation = _invocation, Attempt = attempt });
                return;
            }
            catch (Exception exception) when (exception is InvalidOperationException or IOException or JsonException or FormatException or KeyNotFoundException)
            {
                Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"round {round}, {run.Title}: {exception.Message.Trim()}"));
                Keep(Failed(run, round, exception.Message.Trim()) with { Attempt = attempt });
            }
        }
    }

    private BenchResult Failed(IRun run, int round, string reason)
        => new("failed", run.Title, run.Library, round, new Dictionary<string, double>()) { Invocation = _invocation, Failure = Invocation.WithoutFolders(reason.ReplaceLineEndings(" ")) };

    private IReadOnlyList<BenchResult> ExecuteOnce(IRun run, int round)
    {
        var directory = Path.Combine(_root, "run");
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

    private void Keep(BenchResult result)
    {
        Results.Add(result);
        if (_jsonFile is not null)
            File.AppendAllLines(_jsonFile, [result.ToLine()]);
    }
}

/// <summary>How long an invocation takes.</summary>
internal readonly record struct PlanLength(double RoundSeconds)
{
    private const int Usual = 10;

    /// <summary>Those of <c>--rounds</c>, ten without; with <c>--minutes</c> as many of them as fit, at least one.</summary>
    public int Rounds(BenchArguments arguments)
    {
        var wanted = arguments.Number("rounds", arguments.Quick(Usual, 2));
        var minutes = arguments.Number("minutes", int.MaxValue);
        return RoundSeconds <= 0 ? wanted : Math.Clamp((int)(minutes * 60L / RoundSeconds), 1, wanted);
    }

    public string Text(int rounds) => string.Create(
        CultureInfo.InvariantCulture, $"a round takes about {RoundSeconds / 60:F1} min, {rounds} rounds {rounds * RoundSeconds / 60:F0} min");
}
