namespace AsyncLog;

/// <summary>A formatter that options may choose by name with <c>Format</c>.</summary>
/// <param name="Name">The name; compared ignoring case.</param>
/// <param name="Formatter">The formatter. It serves all instances that choose it.</param>
public sealed record NamedLogFormatter(string Name, ILogFormatter Formatter);
