namespace AsyncLog;

/// <summary>Something that was logged and can fill an event: a state on the stack, or a buffered record.</summary>
internal interface IEventSource
{
    /// <summary>Fills the event; user code may run in here.</summary>
    void Fill(LogEvent logEvent, SinkLogger logger, int messageLimit);
}
