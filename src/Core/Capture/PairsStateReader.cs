namespace AsyncLog;

/// <summary>Reads a state that is some sequence of pairs; boxes a struct.</summary>
internal sealed class PairsStateReader<TState> : StateReader<TState>
{
    private const int Most = 128;

    public override void Read(in TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
    {
        try
        {
            foreach (var (key, value) in ((IEnumerable<KeyValuePair<string, object?>>)state!).Take(Most))
            {
                if (key == StateKeys.OriginalFormat)
                    target.MessageTemplate = value as string;
                else if (key is not null)
                    target.AddProperty(key, LogValue.FromObject(value));
            }
        }
        catch (Exception)
        {
            // What was read stays.
            target.RenderErrors++;
        }

        Format(in state, formatter, exception, target);
    }
}
