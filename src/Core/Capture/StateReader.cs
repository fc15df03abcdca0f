using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Reads the state of one closed type into an event: its properties, its template and the message.</summary>
/// <typeparam name="TState">The type that the caller of <c>ILogger.Log</c> passed.</typeparam>
internal abstract class StateReader<TState>
{
    /// <summary>A bound for lists whose count is wrong; far more pairs than any record needs.</summary>
    protected const int MaxPairs = 1024;

    /// <summary>The reader of the type, chosen once.</summary>
    public static readonly StateReader<TState> Instance = Choose();

    /// <summary>Whether values are read in place, without boxes. For tests.</summary>
    public virtual bool HasLayout => false;

    /// <summary>Whether the text of MEL's own formatter was found to differ. For tests.</summary>
    public virtual bool IsRefuted => false;

    /// <summary>Reads a state. Never throws; exceptions of user code are counted in the event and leave a placeholder.</summary>
    public abstract void Read(ref TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target);

    /// <summary>Sets the text of the caller's formatter as the message.</summary>
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

    /// <summary>Sets everything but the properties, after <see cref="PairReader"/> has read them.</summary>
    protected static void Complete(
        ref TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target, string? template, Exception? fault)
    {
        if (fault is not null)
            target.CountRenderError(fault);
        if (exception is not null)
            target.TakeExceptionAttributes();
        target.SetTemplate(template);
        Format(ref state, formatter, exception, target);
    }

    // A class is judged by the object that is passed, a struct by its type: the reader is closed over the struct, so that it is never boxed.
    private static StateReader<TState> Choose()
    {
        if (!RuntimeFeature.IsDynamicCodeSupported || default(TState) is not IReadOnlyList<KeyValuePair<string, object?>>)
            return new AnyStateReader<TState>();
        var isMel = MelStates.IsTemplateCall(typeof(TState)) || MelStates.IsDefined(typeof(TState));
        var reader = isMel ? typeof(MelStateReader<>) : typeof(ListStateReader<>);
        return (StateReader<TState>)Activator.CreateInstance(reader.MakeGenericType(typeof(TState)))!;
    }
}

/// <summary>Reads states of any type: key/value pairs if it has them. The caller's formatter makes the message.</summary>
internal sealed class AnyStateReader<TState> : StateReader<TState>
{
    public override void Read(ref TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
    {
        string? template = null;
        Exception? fault = null;
        if (state is IReadOnlyList<KeyValuePair<string, object?>> list)
            fault = PairReader.ReadList(ref list, MaxPairs, target.State, ref template);
        else if (state is IEnumerable<KeyValuePair<string, object?>> sequence)
            fault = PairReader.ReadSequence(sequence, MaxPairs, target.State, ref template);
        Complete(ref state, formatter, exception, target, template, fault);
    }
}

/// <summary>Reads structs that are lists of pairs, without a box. The caller's formatter makes the message.</summary>
internal sealed class ListStateReader<TState> : StateReader<TState>
    where TState : IReadOnlyList<KeyValuePair<string, object?>>
{
    public override void Read(ref TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
    {
        string? template = null;
        var fault = PairReader.ReadList(ref state, MaxPairs, target.State, ref template);
        Complete(ref state, formatter, exception, target, template, fault);
    }
}
