using System.Diagnostics.Tracing;
using Microsoft.Extensions.Logging;
using Log = AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>Reports configuration problems: on stderr, each once until it is solved, and to the EventSource.</summary>
internal sealed class ConfigurationReport(SelfReport selfReport)
{
    private const string Source = "configuration";

    /// <summary>Writes a problem to the EventSource; without the value, which may be a secret that is not recognizable as one.</summary>
    /// <param name="keptLastGood">True if the last good settings stay in force; otherwise the start ends.</param>
    public static void WriteEvent(ConfigurationProblem problem, bool keptLastGood)
    {
        if (Log.Log.IsEnabled(EventLevel.Error, Log.Keywords.Config))
            Log.Log.ConfigurationRejected(problem.Place, problem.RuleInOneLine, keptLastGood);
    }

    /// <summary>Reports problems of a reload.</summary>
    public void Problems(IEnumerable<ConfigurationProblem> problems)
    {
        foreach (var problem in problems)
        {
            WriteEvent(problem, keptLastGood: true);
            var text = problem.ToString();
            selfReport.Report(LogLevel.Error, Source, text, $"{ControlText.Sentence(text)} The last good settings remain in effect.");
        }
    }

    /// <summary>Reports the end of problems. It is not printed while another problem keeps the last good settings in force.</summary>
    public void Solved(IEnumerable<ConfigurationProblem> problems, bool isInForce)
    {
        foreach (var problem in problems)
        {
            var place = problem.Place.Length == 0 ? "The configuration" : problem.Place;
            selfReport.Resolve(Source, problem.ToString(), isInForce ? $"{place} is valid again and in effect." : null);
        }
    }

    public void UnknownKeys(IEnumerable<UnknownKey> keys)
    {
        foreach (var key in keys)
        {
            if (!key.IsUsed && Log.Log.IsEnabled(EventLevel.Warning, Log.Keywords.Config))
                Log.Log.UnknownConfigurationKey(key.Path, key.Hint ?? "");
            var text = key.ToString();
            selfReport.Report(LogLevel.Warning, Source, text, ControlText.Sentence(text) + (key.IsUsed ? "" : " It is ignored."));
        }
    }

    /// <summary>Reports changed options that take effect at the next start.</summary>
    public void NextStart(IReadOnlyList<string> keys) => selfReport.WriteRestartRequired(Source, keys);
}
