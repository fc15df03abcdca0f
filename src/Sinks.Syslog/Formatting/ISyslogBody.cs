namespace AsyncLog;

/// <summary>What follows the header of a record.</summary>
internal interface ISyslogBody
{
    /// <summary>Writes it, so that the record keeps its limit.</summary>
    /// <param name="writer">The record, up to the end of its header.</param>
    /// <param name="start">Where the record begins.</param>
    /// <param name="logEvent">The event; told what was cut and left out.</param>
    /// <param name="withEventName">Whether MSGID does not hold the event's whole name.</param>
    /// <param name="scratch">The thread's scratch.</param>
    /// <returns>Where the numbering element belongs.</returns>
    int Write(ref WireWriter writer, int start, LogEvent logEvent, bool withEventName, SyslogScratch scratch);
}
