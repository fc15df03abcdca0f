namespace AsyncLog.PlatformProbe;

/// <summary>One thing that a user relies on.</summary>
/// <param name="Area">Sink, or what is not of one sink.</param>
/// <param name="Name">What holds if it passes.</param>
/// <param name="Body">Throws if it does not hold.</param>
/// <param name="Needs">Returns why the platform cannot show it; null: it can.</param>
internal sealed record Check(string Area, string Name, Func<Ground, Task> Body, Func<string?>? Needs = null);
