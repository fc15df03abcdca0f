namespace AsyncLog;

/// <summary>The last error of an instance.</summary>
/// <param name="Type">Its class (observability.md OB-23), for example <c>no_space</c>.</param>
/// <param name="Message">Its text, without secrets.</param>
/// <param name="At">When.</param>
public sealed record SinkError(string Type, string Message, DateTimeOffset At);
