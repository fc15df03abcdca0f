namespace AsyncLog;

/// <summary>A formatter that can write the records of one call in the code without an event.</summary>
internal interface ICallSiteFormatterFactory
{
    /// <summary>Creates the formatter of further records of the call that logged an event: the same template, level, category and event id, and no exception.</summary>
    /// <param name="logEvent">The event, after <see cref="ILogFormatter.Format"/>. Its values are those of this record only.</param>
    /// <param name="message">The template of the message. Its arguments are the properties, in order.</param>
    /// <param name="values">Reads the values of the state.</param>
    /// <returns>Null: each record of the call needs an event. Its activity and scopes are those of this record only.</returns>
    CallSiteFormatter? CreateCallSiteFormatter(LogEvent logEvent, MessageTemplate message, StateValues values);
}
