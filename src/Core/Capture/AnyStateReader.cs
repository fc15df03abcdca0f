namespace AsyncLog;

/// <summary>Reads states of any type: pairs where there are some; the message is what the caller's formatter says.</summary>
internal sealed class AnyStateReader<TState> : StateReader<TState>
{
    // Far more than any record needs; a list that lies about its count ends here.
    private const int MostPairs = 1024;

    public override void Read(ref TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
    {
        string? template = null;
        Exception? fault = null;
        // For a struct the tests fold away; for a class they look at the object that was given, whatever its static type.
        if (state is IReadOnlyList<KeyValuePair<string, object?>>)
            fault = PairReader.ReadList(ref state, MostPairs, target.State, ref template);
        else if (state is IEnumerable<KeyValuePair<string, object?>> sequence)
            fault = PairReader.ReadSequence(sequence, MostPairs, target.State, ref template);
        if (fault is not null)
            target.RenderErrors++;
        target.SetMessageTemplate(template);
        Format(ref state, formatter, exception, target);
    }
}
