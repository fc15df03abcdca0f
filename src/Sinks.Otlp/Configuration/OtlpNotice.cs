namespace AsyncLog;

/// <summary>One line for an operator.</summary>
/// <param name="Severity">How bad.</param>
/// <param name="Condition">What it is about: the name of a variable or option.</param>
/// <param name="Message">What is wrong, and what counts instead.</param>
internal readonly record struct OtlpNotice(SelfReportLevel Severity, string Condition, string Message);
