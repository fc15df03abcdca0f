namespace Replay;

/// <summary>Something that the user wrote is not right; the message says what, and what would be.</summary>
internal sealed class UsageException(string message) : Exception(message);
