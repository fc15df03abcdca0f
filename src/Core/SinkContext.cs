namespace AsyncLog;

/// <summary>What an instance gives to the sink it creates.</summary>
public sealed class SinkContext
{
    /// <summary>The instance's name in metrics and reports, for example <c>file/errors</c>.</summary>
    public string Name => throw null!;

    /// <summary>The clock; sinks know no other.</summary>
    public TimeProvider TimeProvider => throw null!;

    /// <summary>Names and folders of the application.</summary>
    public ApplicationInfo Application => throw null!;

    /// <summary>Asks the worker to look after the sink soon: it calls <see cref="IScheduledLogSink.RunDueAsync"/> at the next batch boundary.</summary>
    public void Wake() => throw null!;

    /// <summary>Tells an operator about a condition, once per episode (first at once, then at most once a minute with the count since).</summary>
    /// <param name="severity">How bad.</param>
    /// <param name="condition">A stable key of the condition, for example <c>open</c>; also the <c>error.type</c> it is counted under.</param>
    /// <param name="message">What happened and what it does now: one line without the instance's name.</param>
    public void Report(SelfReportLevel severity, string condition, string message) => throw null!;

    /// <summary>Ends a condition that was reported; says so once.</summary>
    /// <param name="condition">The key given to <see cref="Report"/>.</param>
    /// <param name="message">What works again.</param>
    public void Resolve(string condition, string message) => throw null!;

    /// <summary>Counts a failed operation under an error class (observability.md OB-23).</summary>
    public void CountError(string errorType) => throw null!;

    /// <summary>Sets the target shown in status and start-up line: a path, an endpoint without credentials.</summary>
    public void SetTarget(string target) => throw null!;

    /// <summary>Sets what the sink knows of its own state: degraded or failed with a reason, or healthy.</summary>
    public void SetState(SinkState state, string? reason) => throw null!;
}
