namespace AsyncLog;

/// <summary>What configuration and code say of the process-wide options, and what is wrong. Immutable.</summary>
/// <param name="Options">The options; the last good ones when something is wrong.</param>
/// <param name="Problems">What is wrong.</param>
/// <param name="UnknownKeys">Keys of the section that mean nothing.</param>
internal sealed record ProcessReading(
    AsyncLogOptions Options, IReadOnlyList<ConfigurationProblem> Problems, IReadOnlyList<UnknownKey> UnknownKeys);
