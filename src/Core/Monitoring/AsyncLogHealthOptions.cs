using System.Globalization;
using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>The limits of the health check of AsyncLog. Set in code, by <c>AddHealthChecks().AddAsyncLog(o => …)</c>.</summary>
/// <remarks>Nothing is unhealthy by default: to take an application out of rotation does not bring its log collector back.</remarks>
public sealed class AsyncLogHealthOptions
{
    /// <summary>Use of a queue, in percent of either bound, from which the result is degraded.</summary>
    /// <value>1 to 100; default 80.</value>
    public int DegradedQueuePercentage { get; set; } = 80;

    /// <summary>Use of a queue, in percent of either bound, from which the result is unhealthy.</summary>
    /// <value>1 to 100, not less than <see cref="DegradedQueuePercentage"/>; default null: never.</value>
    public int? UnhealthyQueuePercentage { get; set; }

    /// <summary>Number of records lost within <see cref="Window"/> from which the result is degraded.</summary>
    /// <value>At least 1; default 1.</value>
    public long DegradedDropCount { get; set; } = 1;

    /// <summary>Number of records lost within <see cref="Window"/> from which the result is unhealthy.</summary>
    /// <value>Not less than <see cref="DegradedDropCount"/>; default null: never.</value>
    public long? UnhealthyDropCount { get; set; }

    /// <summary>Longest time that a record may wait before the result is degraded.</summary>
    /// <value>More than zero; default 30 s.</value>
    public TimeSpan DegradedOldestAge { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>The time before the check that counts: the result improves after that long without trouble.</summary>
    /// <value>1 s to 10 minutes; default 1 minute.</value>
    public TimeSpan Window { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>The instances to watch, for example <c>file/audit</c>; ignoring case.</summary>
    /// <value>Default empty: all.</value>
    public ICollection<string> Instances { get; } = [];

    /// <summary>Returns whether an instance is unhealthy for a reason of the application; called for each watched instance.</summary>
    /// <value>Default null: never.</value>
    public Func<SinkStatus, bool>? UnhealthyWhen { get; set; }
}

/// <summary>Validates the options of the health check; an error has the option, its value and the allowed range.</summary>
internal sealed class HealthOptionsValidator : IValidateOptions<AsyncLogHealthOptions>
{
    private static readonly TimeSpan MinWindow = TimeSpan.FromSeconds(1);

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
        if (options.Window < MinWindow || options.Window > SinkHistory.Length)
            yield return Text(nameof(options.Window), options.Window, "must be 00:00:01 to 00:10:00");
        if (options.Instances.Any(string.IsNullOrWhiteSpace))
            yield return Text(nameof(options.Instances), string.Join(", ", options.Instances), "must be names of instances, for example file/default");
    }

    private static string Text(string option, object? value, string rule) => string.Create(CultureInfo.InvariantCulture, $"{option} '{value}' is not valid: {rule}.");
}
