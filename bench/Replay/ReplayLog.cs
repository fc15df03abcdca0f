namespace Replay;

/// <summary>A log that was read.</summary>
/// <param name="Name">Its name or path.</param>
/// <param name="Lines">Its lines.</param>
internal sealed record ReplayLog(string Name, IReadOnlyList<ReplayLine> Lines);
