namespace AsyncLog;

/// <summary>Reads states that return their values without boxes; the message is rendered from the template, without the formatter.</summary>
internal sealed class UnboxedStateReader<TState> : StateReader<TState>
    where TState : IUnboxedState
{
    // Another formatter comes from a wrapper of the logger: its message differs.
    private Func<TState, Exception?, string>? _ownFormatter;

    public override void Read(ref TState state, Func<TState, Exception?, string> formatter, LogEvent target)
    {
        string? text = null;
        Exception? fault = null;
        try
        {
            text = state.Template;
            var count = Math.Min(state.Count - 1, PairReader.MaxPairs);
            for (var i = 0; i < count; i++)
            {
                var property = state.GetProperty(i);
                target.State.Add(property.Name, in property.ValueRef);
            }
        }
        catch (Exception exception)
        {
            // Counted by CompleteState.
            fault = exception;
        }

        if (fault is null && TemplateTable.Find(text!) is { } template && template.Names.Length <= target.State.Count && IsOwn(formatter))
        {
            target.SetTemplate(template);
            target.SetMessageFromTemplate();
        }
        else
        {
            target.CompleteState(ref state, formatter, text, fault);
        }
    }

    private bool IsOwn(Func<TState, Exception?, string> formatter)
    {
        if (ReferenceEquals(formatter, _ownFormatter))
            return true;
        if (formatter is null || formatter.Method.Module != typeof(TState).Module)
            return false;
        _ownFormatter = formatter;
        return true;
    }
}
