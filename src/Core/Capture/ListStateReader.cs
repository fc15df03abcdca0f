namespace AsyncLog;

/// <summary>Reads a state that is an indexed list of pairs, through its own indexer.</summary>
/// <remarks>The casts of a struct to its interface are boxes in the language only: optimised code calls the indexer directly, and the allocation
/// tests hold it to that. Without a constraint the type needs no run-time code generation.</remarks>
internal sealed class ListStateReader<TState> : StateReader<TState>
{
    private static readonly bool IsTemplateState = MelStates.IsTemplateState(typeof(TState));

    // A start-up that logs each message once pays for no compilation.
    private const int ReadsBeforeFields = 16;
    private Delegate? _ownFormatter;
    private int _reads;

    public override void Read(in TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
    {
        if (IsTemplateState && ++_reads == ReadsBeforeFields && FieldStateReader<TState>.TryMake(in state, formatter, this) is { } better)
            Use(better);
        var isWhole = ReadPairs(in state, target);
        if (isWhole && IsTemplateState && target.MessageTemplate is { } text && IsOwn(formatter))
        {
            // MEL uses the text as it is when there are no arguments.
            if (target.Properties.IsEmpty)
            {
                target.SetMessage(text);
                return;
            }

            if (MessageTemplates.Find(text) is { } template && template.Holes == target.Properties.Length)
            {
                target.SetMessage(template);
                return;
            }
        }

        Format(in state, formatter, exception, target);
    }

    private static bool ReadPairs(in TState state, LogEvent target)
    {
        var isWhole = true;
        try
        {
            var count = ((IReadOnlyCollection<KeyValuePair<string, object?>>)state!).Count;
            for (var i = 0; i < count; i++)
            {
                var pair = ((IReadOnlyList<KeyValuePair<string, object?>>)state)[i];
                if (pair.Key == StateKeys.OriginalFormat)
                    target.MessageTemplate = pair.Value as string;
                else if (pair.Key is not null)
                    target.AddProperty(pair.Key, LogValue.FromObject(pair.Value));
                else
                    isWhole = false;
            }
        }
        catch (Exception)
        {
            // What was read stays.
            target.RenderErrors++;
            return false;
        }

        return isWhole;
    }

    private bool IsOwn(Func<TState, Exception?, string> formatter)
    {
        if (ReferenceEquals(_ownFormatter, formatter))
            return true;
        if (formatter is null || !MelStates.IsOwnFormatter(formatter))
            return false;
        _ownFormatter = formatter;
        return true;
    }
}
