namespace AsyncLog;

/// <summary>What was thrown last while an event was rendered.</summary>
internal struct LastFault
{
    // Belongs to the event of that instant only, so that nothing has to be cleared for each.
    private string? _type;
    private long _ticks;

    /// <summary>Keeps it.</summary>
    /// <param name="fault">What was thrown.</param>
    /// <param name="utcTicks">When the event was logged.</param>
    public void Set(Exception fault, long utcTicks) => (_type, _ticks) = (fault.GetType().FullName, utcTicks);

    /// <summary>Its type; null where the event of that instant had none.</summary>
    public readonly string? TypeAt(long utcTicks) => _ticks == utcTicks ? _type : null;
}
