using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>A number of lost records.</summary>
/// <param name="Reason">Why.</param>
/// <param name="Level">Of which level.</param>
/// <param name="Count">How many.</param>
public readonly record struct DropCount(DropReason Reason, LogLevel Level, long Count)
{
    /// <summary>The reason as metrics and notices print it: <c>queue_full</c>.</summary>
    public string ReasonName => DropReasons.NameOf(Reason);

    /// <summary>Whether the record was never accepted.</summary>
    public bool IsBeforeAcceptance => DropReasons.IsBefore(Reason);
}
