namespace AsyncLog.Tests.Diagnostics;

/// <summary>What a file sink measured, by what it is measured for.</summary>
internal sealed class FileCounts(IReadOnlyDictionary<string, SinkInstrument> instruments)
{
    public IReadOnlyDictionary<RollReason, long> Rolled => ByReason<RollReason>("asynclog.file.rolled");

    public IReadOnlyDictionary<ReopenReason, long> Reopened => ByReason<ReopenReason>("asynclog.file.reopened");

    public IReadOnlyDictionary<DeletionReason, long> Deleted => ByReason<DeletionReason>("asynclog.file.deleted");

    public long ActiveSize => Single("asynclog.file.size")!.Value;

    public long? RetainedSize => Single("asynclog.file.retained.size");

    public long? RetainedCount => Single("asynclog.file.retained.count");

    /// <summary>Free space; null: it was not looked at.</summary>
    public long? Available => Single("asynclog.file.filesystem.available");

    public long? Minimum => Single("asynclog.file.filesystem.minimum");

    private long? Single(string name) => instruments[name].Measure().SingleOrDefault()?.Value;

    private Dictionary<TReason, long> ByReason<TReason>(string name)
        where TReason : struct, Enum =>
        instruments[name].Measure().ToDictionary(
            static measurement => Enum.Parse<TReason>(measurement.Tags.Single().Value.Replace("_", "", StringComparison.Ordinal), ignoreCase: true),
            static measurement => measurement.Value);
}
