namespace AsyncLog;

/// <summary>What the attributes of an exception say; null for one that is not written.</summary>
/// <param name="Type">The full name of its type.</param>
/// <param name="Message">Its message.</param>
/// <param name="StackTrace">Its whole text.</param>
internal readonly record struct ExceptionTexts(string? Type, string? Message, string? StackTrace);
