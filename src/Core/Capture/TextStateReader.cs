namespace AsyncLog;

/// <summary>Reads a state that is only a text.</summary>
internal sealed class TextStateReader<TState> : StateReader<TState>
{
    public override void Read(in TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
        => Format(in state, formatter, exception, target);
}
