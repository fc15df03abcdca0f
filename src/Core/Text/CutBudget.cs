namespace AsyncLog;

/// <summary>How a record that is cut shares its room among the parts that can be cut.</summary>
/// <param name="Message">Bytes for the message.</param>
/// <param name="Properties">Bytes for properties and scopes together.</param>
/// <param name="Exception">Bytes for the exception.</param>
public readonly record struct CutBudget(int Message, int Properties, int Exception)
{
    /// <summary>Half for the message, a quarter for properties and scopes, the rest for the exception; what one does not use passes on.</summary>
    /// <param name="room">Bytes for all parts; what header and framing take is gone already.</param>
    /// <param name="message">What the message would take.</param>
    /// <param name="properties">What properties and scopes would take.</param>
    /// <param name="exception">What the exception would take.</param>
    public static CutBudget Share(int room, long message, long properties, long exception)
    {
        room = Math.Max(room, 0);
        var messageShare = (int)Math.Min(message, room / 2);
        var propertyShare = (int)Math.Min(properties, (room / 4) + (room / 2) - messageShare);
        var exceptionShare = (int)Math.Min(exception, room - messageShare - propertyShare);
        // What the exception leaves goes round to the first again.
        var left = room - messageShare - propertyShare - exceptionShare;
        var more = (int)Math.Min(message - messageShare, left);
        left -= more;
        return new CutBudget(messageShare + more, propertyShare + (int)Math.Min(properties - propertyShare, left), exceptionShare);
    }
}
