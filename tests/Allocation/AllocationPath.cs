using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>One way from a log call to its record, and what it may cost.</summary>
/// <param name="Name">On the command line and in the report.</param>
/// <param name="Target">Where the records go.</param>
/// <param name="Log">One call.</param>
internal sealed record AllocationPath(string Name, TargetKind Target, Action<ILogger, int> Log)
{
    /// <summary>Bytes per record that are allowed; null: as much as the same calls cost with a provider that does nothing.</summary>
    public double? Allowed { get; init; } = 0;

    /// <summary>The path whose cost is allowed besides.</summary>
    public string? Besides { get; init; }

    /// <summary>Whether only the thread that logs counts, and not the worker beside it.</summary>
    public bool IsCallerOnly { get; init; }

    /// <summary>Whether each call makes a record at the destination.</summary>
    public bool Writes { get; init; } = Target is not (TargetKind.Blocked or TargetKind.Nothing or TargetKind.Formatted);

    /// <summary>What surrounds all calls: scopes, an activity.</summary>
    public Func<ILogger, IDisposable?>? Surround { get; init; }
}
