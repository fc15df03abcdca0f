namespace AsyncLog;

/// <summary>The last error of an instance.</summary>
/// <param name="Type">Its class, a short lower-case word such as <c>no_space</c> or <c>timeout</c>.</param>
/// <param name="Message">Its text, without secrets.</param>
/// <param name="At">When.</param>
public sealed record SinkError(string Type, string Message, DateTimeOffset At);
