namespace AsyncLog;

/// <summary>Reads the states of Microsoft.Extensions.Logging itself; the message is rendered from the template, without the formatter.</summary>
internal sealed class MelStateReader<TState> : StateReader<TState>
{
    private const int MostPairs = 1024;
    private Func<TState, Exception?, string>? _ownFormatter;

    public override void Read(ref TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
    {
        var isOwn = ReferenceEquals(formatter, _ownFormatter) || Learn(formatter);
        ReadPairs(ref state, target);
        if (!isOwn || !TryUseTemplate(target))
            Format(ref state, formatter, exception, target);
    }

    // The last pair is the template; it is read first, so that it is there even when an argument is missing.
    private static void ReadPairs(ref TState state, LogEvent target)
    {
        string? template = null;
        var count = ((IReadOnlyList<KeyValuePair<string, object?>>)state!).Count;
        target.SetMessageTemplate(PairReader.ReadTemplate(ref state, count - 1));
        // Fails where a call has fewer arguments than holes. The message counts it: A_missing_argument_leaves_a_placeholder.
        _ = PairReader.ReadList(ref state, Math.Min(count, MostPairs), target.State, ref template);
    }

    // Without holes the state's own formatter is as cheap, and only it knows whether doubled braces are one or two.
    private static bool TryUseTemplate(LogEvent target)
    {
        if (target.Properties.IsEmpty || target.MessageTemplate is not { } text)
            return false;
        var template = TemplateTable.Find(text);
        if (template is null || template.Names.Length > MostPairs || template.Names.Length < target.Properties.Length)
            return false;
        target.SetMessage(template);
        return true;
    }

    private bool Learn(Func<TState, Exception?, string> formatter)
    {
        if (!MelStates.IsOwnFormatter(formatter))
            return false;
        _ownFormatter = formatter;
        return true;
    }
}
