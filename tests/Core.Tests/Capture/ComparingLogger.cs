using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Renders what it is given as AsyncLog does and as MEL's formatter does, and compares.</summary>
internal sealed class ComparingLogger : ILogger
{
    private const int NoLimit = 1 << 24;
    private static readonly LogCategory Category = new("C");
    private readonly LogEvent _event = new();

    /// <summary>How many messages were equal.</summary>
    public int Equal { get; private set; }

    /// <summary>How many MEL refused to format.</summary>
    public int Refused { get; private set; }

    /// <summary>Properties that were compared with the state's own.</summary>
    public int Properties { get; private set; }

    /// <summary>How many states may have been read without boxes.</summary>
    public int ReadByLayout { get; private set; }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
        => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        _event.Begin(0, logLevel, Category, eventId, exception, null, NoLimit);
        StateReader<TState>.Instance.Read(ref state, formatter, _event);
        var inPlace = WriteInPlace();
        var errors = _event.RenderErrors;
        _event.RenderErrors = 0;
        var ours = _event.Message.ToArray();
        Assert.Equal(ours, inPlace);
        Assert.Equal(_event.RenderErrors, errors);
        try
        {
            var expected = formatter(state, exception);
            Assert.Equal(Encoding.UTF8.GetBytes(expected ?? ""), ours);
            Assert.Equal(0, _event.RenderErrors);
            Assert.False(StateReader<TState>.Instance.IsRefuted);
            ReadByLayout += StateReader<TState>.Instance.HasLayout ? 1 : 0;
            CompareProperties((IReadOnlyList<KeyValuePair<string, object?>>)state!);
            Equal++;
        }
        catch (FormatException)
        {
            // MEL's own refusal; ours is a placeholder.
            Assert.True(_event.RenderErrors > 0);
            Refused++;
        }
        finally
        {
            _event.Reset();
        }
    }

    private byte[] WriteInPlace()
    {
        var output = new RecordBuffer();
        var writer = new Utf8Writer(output);
        _event.IsRenderedOnce = true;
        // Kept already where it was compared with that of MEL's formatter.
        if (!_event.TryWriteMessage(ref writer))
            return _event.Message.ToArray();
        var isPlain = writer.IsPlain;
        writer.Flush();
        var text = output.WrittenSpan.ToArray();
        Assert.True(!isPlain || !text.AsSpan().ContainsAnyExceptInRange((byte)' ', (byte)'~'), "said to be plain: " + Encoding.UTF8.GetString(text));
        return text;
    }

    private void CompareProperties(IReadOnlyList<KeyValuePair<string, object?>> state)
    {
        Assert.Equal(state.Count - 1, _event.Properties.Length);
        for (var i = 0; i < state.Count - 1; i++)
        {
            // The only difference to MEL's names.
            var name = state[i].Key;
            Assert.Equal(name is ['@' or '$', _, ..] ? name[1..] : name, _event.Properties[i].Name);
            var ours = _event.Properties[i].Value.ToObject();
            if (!ReferenceEquals(state[i].Value, ours))
            {
                Assert.Equal(state[i].Value?.GetType(), ours?.GetType());
                Assert.True(Equals(state[i].Value, ours));
            }
            Properties++;
        }
        Assert.Equal(state[state.Count - 1].Value, _event.MessageTemplate);
    }
}
