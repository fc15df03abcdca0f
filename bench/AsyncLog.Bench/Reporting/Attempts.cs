using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>What became of runs that did not succeed at once.</summary>
internal static class Attempts
{
    /// <summary>The runs that gave no result in some round, however often they were tried.</summary>
    public static IEnumerable<string> FailedFor(IEnumerable<BenchResult> results)
        => results.Where(static result => result.Failure is not null && result.Attempt == Rounds.Attempts).Select(static result => result.Load).Distinct();

    /// <summary>One line per run: how many attempts failed, in how many rounds there is no result, and the last reason.</summary>
    public static IEnumerable<string> Lines(IEnumerable<BenchResult> results) => results
        .Where(static result => result.Failure is not null)
        .GroupBy(static result => result.Load)
        .Select(static run => string.Create(
            CultureInfo.InvariantCulture,
            $"- {run.Key}: {run.Count()} failed, {run.Count(static failure => failure.Attempt == Rounds.Attempts)} rounds without a result; the last: {run.Last().Failure}"));
}
