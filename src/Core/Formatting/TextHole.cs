namespace AsyncLog;

/// <summary>What a part of a text template stands for.</summary>
internal enum TextHole : byte
{
    Literal,
    Timestamp,
    Level,
    Category,
    Message,
    Exception,
    NewLine,
    EventId,
    EventName,
    TraceId,
    SpanId,
    ThreadId,
    ProcessId,
    MachineName,
    ApplicationName,
    EnvironmentName,
    Instance,
    Scopes,
    Properties,

    /// <summary>A property of the state or a scope, by name.</summary>
    Property,
}
