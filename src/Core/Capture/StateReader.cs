using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Reads the state of one closed type into an event: its properties, its template and the message.</summary>
/// <typeparam name="TState">The type that the caller of <c>ILogger.Log</c> gave.</typeparam>
internal abstract class StateReader<TState>
{
    /// <summary>Far more pairs than any record needs; a list that lies about its count ends here.</summary>
    protected const int MostPairs = 1024;

    /// <summary>The reader of the type, chosen once.</summary>
    public static readonly StateReader<TState> Instance = Choose();

    /// <summary>Reads a state. Never throws; what user code throws is counted in the event and leaves a placeholder.</summary>
    public abstract void Read(ref TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target);

    /// <summary>Lets the caller's formatter say the message.</summary>
    protected static void Format(ref TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
    {
        try
        {
            target.SetMessage(formatter(state, exception));
        }
        catch (Exception fault)
        {
            target.CountRenderError(fault);
            var type = fault.GetType();
            target.SetMessage($"<error formatting message: {type.FullName ?? type.Name}>");
        }
    }

    // A class is judged by the object that is given, a struct by its type: its reader is made for it, so that it is never boxed.
    private static StateReader<TState> Choose()
    {
        if (!RuntimeFeature.IsDynamicCodeSupported || default(TState) is not IReadOnlyList<KeyValuePair<string, object?>>)
            return new AnyStateReader<TState>();
        var isMel = MelStates.IsTemplateCall(typeof(TState)) || MelStates.IsDefined(typeof(TState));
        var reader = isMel ? typeof(MelStateReader<>) : typeof(ListStateReader<>);
        return (StateReader<TState>)Activator.CreateInstance(reader.MakeGenericType(typeof(TState)))!;
    }
}
