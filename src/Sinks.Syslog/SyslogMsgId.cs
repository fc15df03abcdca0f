namespace AsyncLog;

/// <summary>What stands in the field MSGID (RFC 5424 §6.2.7).</summary>
public enum SyslogMsgId
{
    /// <summary>The event's name, else its id, else nil.</summary>
    EventName,

    /// <summary>The event's id, else nil.</summary>
    EventId,

    /// <summary>The logger's category.</summary>
    Category,

    /// <summary>Always nil (<c>-</c>).</summary>
    Nil,
}
