namespace AsyncLog;

/// <summary>Speaks through the context of the instance.</summary>
internal sealed class ContextVoice(SinkContext context) : IFileVoice
{
    public TimeProvider TimeProvider => context.TimeProvider;

    public SinkEvents Events => context.Events;

    public SinkInstrument CreateInstrument(string name, SinkInstrumentKind kind, string unit, string description)
        => context.CreateInstrument(name, kind, unit, description);

    public void Report(SelfReportLevel severity, string condition, string message) => context.Report(severity, condition, message);

    public void Resolve(string condition, string message) => context.Resolve(condition, message);

    public void CountError(string errorType) => context.CountError(errorType);

    public void SetTarget(string target) => context.SetTarget(target);

    public void Wake() => context.Wake();

    public void Degrade(string reason) => context.Degrade(reason);

    public void Restore(string reason) => context.Restore(reason);
}
