namespace AsyncLog;

/// <summary>A named value of an event: a template argument, a state pair or a scope pair.</summary>
/// <param name="Name">The name as the application gave it; never null.</param>
/// <param name="Value">The value, captured without a box where its type is known.</param>
public readonly record struct LogProperty(string Name, LogValue Value);
