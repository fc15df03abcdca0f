namespace AsyncLog;

/// <summary>Speaks through the context of the instance.</summary>
internal sealed class ContextTransportVoice(SinkContext context) : ITransportVoice
{
    public void Report(SelfReportLevel severity, string condition, string message) => context.Report(severity, condition, message);

    public void Resolve(string condition, string message) => context.Resolve(condition, message);

    public void CountError(string errorType) => context.CountError(errorType);

    public void CountUncertain(int records) => context.CountUncertain(records);

    public void CountCut(bool isFirstCut, int droppedParameters)
    {
        if (isFirstCut)
            context.CountTruncated();
        if (droppedParameters > 0)
            context.CountLeftOut(droppedParameters);
    }
}
