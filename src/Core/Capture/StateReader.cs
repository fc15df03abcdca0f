namespace AsyncLog;

/// <summary>Reads one type of log state into an event. Chosen once per closed type.</summary>
internal abstract class StateReader<TState>
{
    private static StateReader<TState>? _instance;

    public static StateReader<TState> Instance => _instance ??= StateReaders.Choose<TState>();

    /// <summary>Reads properties and message. User code may run in here; what it throws becomes a placeholder.</summary>
    public abstract void Read(in TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target);

    /// <summary>Another reader is the better one from here on.</summary>
    protected static void Use(StateReader<TState> reader) => _instance = reader;

    /// <summary>Lets the caller's formatter decide the message.</summary>
    protected static void Format(in TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
    {
        try
        {
            target.SetMessage(formatter is null ? state?.ToString() : formatter(state, exception));
        }
        catch (Exception failure)
        {
            target.RenderErrors++;
            target.SetMessage($"<error formatting message: {failure.GetType().FullName}>");
        }
    }
}
