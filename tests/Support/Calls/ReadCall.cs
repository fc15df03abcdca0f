using System.Collections;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Calls;

/// <summary>Keeps what one call gives a logger. Repeated, it has a type of state and a formatter of its own, so no logger knows the call and the record needs an event.</summary>
internal sealed class ReadCall : ILogger
{
    private const string TemplateKey = "{OriginalFormat}";
    private KeyValuePair<string, object?>[] _pairs = [];
    private Func<OwnState, Exception?, string> _formatter = static (_, _) => "";
    private Exception? _exception;
    private LogLevel _level;
    private EventId _id;

    /// <summary>False if the formatter threw, or leaves objects to the logger: such a message is the logger's own.</summary>
    public bool IsRepeatable { get; private set; }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
        => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        (_level, _id, _exception) = (logLevel, eventId, exception);
        try
        {
            _pairs = [.. (IReadOnlyList<KeyValuePair<string, object?>>)state!];
            var message = formatter(state, exception);
            _formatter = (_, _) => message;
            IsRepeatable = !_pairs.Any(static pair => pair.Key is ['@' or '$', ..]);
        }
#pragma warning disable CA1031 // Values of any type may throw anything.
        catch (Exception)
#pragma warning restore CA1031
        {
            IsRepeatable = false;
        }
    }

    /// <summary>Logs the call again.</summary>
    public void Repeat(ILogger logger) => logger.Log(_level, _id, new OwnState(_pairs), _exception, _formatter);

    // The template is a new text each time: what is found by it was never seen before.
    private sealed class OwnState(KeyValuePair<string, object?>[] pairs) : IReadOnlyList<KeyValuePair<string, object?>>
    {
        private readonly KeyValuePair<string, object?>[] _pairs = Array.ConvertAll(pairs, static pair => pair is { Key: TemplateKey, Value: string text } ? new(TemplateKey, new string(text)) : pair);

        public int Count => _pairs.Length;

        public KeyValuePair<string, object?> this[int index] => _pairs[index];

        public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => _pairs.AsEnumerable().GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
