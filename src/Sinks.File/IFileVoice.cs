namespace AsyncLog;

/// <summary>How the file sink is heard: the part of <see cref="SinkContext"/> it uses. Any thread.</summary>
internal interface IFileVoice
{
    TimeProvider TimeProvider { get; }

    void Report(SelfReportLevel severity, string condition, string message);

    void Resolve(string condition, string message);

    void CountError(string errorType);

    void SetTarget(string target);

    /// <summary>Lets the worker look again when the sink is due.</summary>
    void Wake();

    void Degrade(string reason);

    void Restore(string reason);
}
