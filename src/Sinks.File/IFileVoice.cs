namespace AsyncLog;

/// <summary>How the file sink is heard: the part of <see cref="SinkContext"/> it uses. Any thread.</summary>
internal interface IFileVoice
{
    TimeProvider TimeProvider { get; }

    SinkEvents Events { get; }

    SinkInstrument CreateInstrument(string name, SinkInstrumentKind kind, string unit, string description);

    void Report(SelfReportLevel severity, string condition, string message);

    void Resolve(string condition, string message);

    void CountError(string errorType);

    void SetTarget(string target);

    /// <summary>Lets the worker look again when the sink is due.</summary>
    void Wake();

    void Degrade(string reason);

    void Restore(string reason);

    /// <summary>Something failed that the sink gets over by itself.</summary>
    /// <param name="operation">What was done: a short lower-case word.</param>
    /// <param name="path">Of what.</param>
    /// <param name="exception">Why.</param>
    void Failed(string operation, string path, LogSinkException exception)
    {
        CountError(exception.ErrorType);
        Events.FileError(operation, path, exception.ErrorType, exception.Message);
    }
}
