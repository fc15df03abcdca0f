namespace AsyncLog;

/// <summary>Chooses the reader of a state type: typed fields, an indexed list, any pairs, or only the formatter's text.</summary>
internal static class StateReaders
{
    public static StateReader<TState> Choose<TState>()
    {
        if (typeof(IReadOnlyList<KeyValuePair<string, object?>>).IsAssignableFrom(typeof(TState)))
            return new ListStateReader<TState>();
        if (typeof(IEnumerable<KeyValuePair<string, object?>>).IsAssignableFrom(typeof(TState)))
            return new PairsStateReader<TState>();
        return new TextStateReader<TState>();
    }
}
