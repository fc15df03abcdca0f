namespace AsyncLog;

/// <summary>The records of one category in a request.</summary>
/// <param name="Scope">The encoded scope.</param>
/// <param name="Content">The size of what its ScopeLogs holds.</param>
/// <param name="First">The number of its first run.</param>
/// <param name="Last">The number of its last run so far.</param>
internal readonly record struct RequestGroup(byte[] Scope, int Content, int First, int Last);
