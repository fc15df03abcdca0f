namespace AsyncLog;

/// <summary>Speaks through the context of the instance.</summary>
internal sealed class ContextExportVoice(SinkContext context) : IExportVoice
{
    public void Report(SelfReportLevel severity, string condition, string message) => context.Report(severity, condition, message);

    public void Resolve(string condition, string message) => context.Resolve(condition, message);

    public void CountError(string errorType) => context.CountError(errorType);

    public void Degrade(string reason) => context.Degrade(reason);

    public void Restore(string reason) => context.Restore(reason);
}
