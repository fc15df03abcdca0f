using System.Globalization;
using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>Names every option of the health check that has no sense, its value and what is allowed.</summary>
internal sealed class HealthOptionsValidator : IValidateOptions<AsyncLogHealthOptions>
{
    private static readonly TimeSpan ShortestWindow = TimeSpan.FromSeconds(1);

    public ValidateOptionsResult Validate(string? name, AsyncLogHealthOptions options)
    {
        var problems = ProblemsOf(options).Select(problem => $"AddHealthChecks().AddAsyncLog(name: \"{name}\"): {problem}").ToList();
        return problems.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(problems);
    }

    private static IEnumerable<string> ProblemsOf(AsyncLogHealthOptions options)
    {
        if (options.DegradedQueuePercentage is < 1 or > 100)
            yield return Text(nameof(options.DegradedQueuePercentage), options.DegradedQueuePercentage, "must be 1 to 100");
        if (options.UnhealthyQueuePercentage is < 1 or > 100 || options.UnhealthyQueuePercentage < options.DegradedQueuePercentage)
            yield return Text(nameof(options.UnhealthyQueuePercentage), options.UnhealthyQueuePercentage, $"must be {nameof(options.DegradedQueuePercentage)} to 100, or null");
        if (options.DegradedDropCount < 1)
            yield return Text(nameof(options.DegradedDropCount), options.DegradedDropCount, "must be at least 1");
        if (options.UnhealthyDropCount < 1 || options.UnhealthyDropCount < options.DegradedDropCount)
            yield return Text(nameof(options.UnhealthyDropCount), options.UnhealthyDropCount, $"must be at least {nameof(options.DegradedDropCount)}, or null");
        if (options.DegradedOldestAge <= TimeSpan.Zero)
            yield return Text(nameof(options.DegradedOldestAge), options.DegradedOldestAge, "must be more than zero");
        if (options.Window < ShortestWindow || options.Window > SinkHistory.Length)
            yield return Text(nameof(options.Window), options.Window, "must be 00:00:01 to 00:10:00");
        if (options.Instances.Any(string.IsNullOrWhiteSpace))
            yield return Text(nameof(options.Instances), string.Join(", ", options.Instances), "must be names of instances, for example file/default");
    }

    private static string Text(string option, object? value, string rule) => string.Create(CultureInfo.InvariantCulture, $"{option} '{value}' is not valid: {rule}.");
}
