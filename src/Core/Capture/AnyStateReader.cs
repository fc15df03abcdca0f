namespace AsyncLog;

/// <summary>Reads states of any type: pairs where there are some; the message is what the caller's formatter says.</summary>
internal sealed class AnyStateReader<TState> : StateReader<TState>
{
    public override void Read(ref TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
    {
        string? template = null;
        Exception? fault = null;
        if (state is IReadOnlyList<KeyValuePair<string, object?>> list)
            fault = PairReader.ReadList(ref list, MostPairs, target.State, ref template);
        else if (state is IEnumerable<KeyValuePair<string, object?>> sequence)
            fault = PairReader.ReadSequence(sequence, MostPairs, target.State, ref template);
        if (fault is not null)
            target.CountRenderError(fault);
        if (exception is not null)
            target.TakeExceptionAttributes();
        target.SetMessageTemplate(template);
        Format(ref state, formatter, exception, target);
    }
}
