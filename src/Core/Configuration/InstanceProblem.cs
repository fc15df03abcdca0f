namespace AsyncLog;

/// <summary>A problem, and whose it is.</summary>
/// <param name="Instance">The name of the instance that is wrong; null when it is no single one's.</param>
/// <param name="Problem">What is wrong.</param>
internal sealed record InstanceProblem(string? Instance, ConfigurationProblem Problem)
{
    public override string ToString() => Problem.ToString();
}
