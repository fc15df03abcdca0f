namespace AsyncLog;

/// <summary>What a reload changes of the process-wide options.</summary>
/// <param name="SelfReport">The new level of the self-report; null when it stays.</param>
/// <param name="NewProblems">Problems that were not there before.</param>
/// <param name="NewUnknownKeys">Unknown keys that were not there before.</param>
/// <param name="NextStartKeys">The full paths of changed options that take effect at the next start.</param>
internal sealed record ProcessChange(
    SelfReportLevel? SelfReport,
    IReadOnlyList<ConfigurationProblem> NewProblems,
    IReadOnlyList<UnknownKey> NewUnknownKeys,
    IReadOnlyList<string> NextStartKeys)
{
    public bool IsEmpty => SelfReport is null && NewProblems.Count == 0 && NewUnknownKeys.Count == 0 && NextStartKeys.Count == 0;
}
