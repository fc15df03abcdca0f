namespace AsyncLog;

/// <summary>Reads structs that are lists of pairs, without a box; the message is what the caller's formatter says.</summary>
internal sealed class ListStateReader<TState> : StateReader<TState>
    where TState : IReadOnlyList<KeyValuePair<string, object?>>
{
    public override void Read(ref TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
    {
        string? template = null;
        if (PairReader.ReadList(ref state, MostPairs, target.State, ref template) is { } fault)
            target.CountRenderError(fault);
        if (exception is not null)
            target.TakeExceptionAttributes();
        target.SetMessageTemplate(template);
        Format(ref state, formatter, exception, target);
    }
}
