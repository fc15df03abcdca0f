using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>A run of this program with a child command, which leaves its results as JSON lines.</summary>
internal sealed record ChildRun(string Command, string Library, IReadOnlyList<string> Arguments, BenchArguments Wanted, double Seconds) : IRun
{
    private const string Results = "results.jsonl";

    public string Title => $"{Command} {Library} {string.Join(' ', Arguments)}";

    public IReadOnlyList<BenchResult> Execute(string directory, int round)
    {
        ChildProcess.Run(
            [Command, "--library", Library, "--directory", directory, "--round", round.ToString(CultureInfo.InvariantCulture), .. Arguments, .. Wanted.Has("quick") ? ["--quick"] : Array.Empty<string>()],
            directory,
            Wanted.Has("server-gc"));
        return [.. BenchResult.Read(Path.Combine(directory, Results))];
    }

    /// <summary>The child's end of it.</summary>
    public static void Leave(string directory, IEnumerable<BenchResult> results) => File.WriteAllLines(Path.Combine(directory, Results), results.Select(static result => result.ToLine()));
}
