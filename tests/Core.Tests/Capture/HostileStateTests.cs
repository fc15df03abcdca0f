using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

public sealed class HostileStateTests
{
    private readonly CapturingLogger _logger = new();

    [Fact]
    public void A_value_whose_text_throws_leaves_a_placeholder_and_the_rest_stays()
    {
        _logger.LogInformation("before {Bad,10} after {Good}", new BadValue(), 7);
        Assert.Equal("before <error: AsyncLog.Tests.Capture.BadValue> after 7", _logger.Message);
        Assert.Equal(1, _logger.RenderErrors);
    }

    [Fact]
    public void A_value_that_runs_out_of_memory_leaves_a_placeholder()
    {
        _logger.LogInformation("before {Bad} {Worse,10:x} after {Good}", new HungryValue(), new HungryValue(), 7);
        Assert.Equal("before <error: AsyncLog.Tests.Capture.HungryValue> <error: AsyncLog.Tests.Capture.HungryValue> after 7", _logger.Message);
        Assert.Equal(2, _logger.RenderErrors);
        _logger.LogInformation("next {Good}", 8);
        Assert.Equal(("next 8", 0), (_logger.Message, _logger.RenderErrors));
        _logger.Log(LogLevel.Information, default, 1, null, static (_, _) => HungryValue.Text());
        Assert.Equal(("<error formatting message: System.OutOfMemoryException>", 1), (_logger.Message, _logger.RenderErrors));
    }

    [Fact]
    public void A_sequence_that_throws_keeps_its_first_elements()
    {
        _logger.LogInformation("{Items}.", new ThrowingPairs(2));
        Assert.Equal("[k0, 0], [k1, 1]<error: System.IO.IOException>.", _logger.Message);
        Assert.Equal(1, _logger.RenderErrors);
    }

    [Fact]
    public void An_endless_sequence_ends_at_the_limit()
    {
        _logger.Limit = 4096;
        _logger.LogInformation("{Items} {Aligned,5}", new EndlessSequence(), new EndlessSequence());
        Assert.Equal(string.Concat(Enumerable.Repeat("[k, v], ", 512)), _logger.Message);
        Assert.InRange(_logger.MessageLength, 2 * 4096, 16 * 4096);
    }

    [Fact]
    public void A_missing_argument_leaves_a_placeholder()
    {
        _logger.LogInformation("{A} and {B}", 1);
        Assert.Equal("1 and <error: System.FormatException>", _logger.Message);
        Assert.Equal("{A} and {B}", _logger.Template);
        Assert.Equal(["A=1"], _logger.Properties);
        Assert.Equal(1, _logger.RenderErrors);
    }

    [Fact]
    public void A_format_the_value_does_not_know_leaves_a_placeholder()
    {
        _logger.LogInformation("{A:Q} {B}", 1, 2);
        Assert.Equal("<error: System.FormatException> 2", _logger.Message);
        Assert.Equal(1, _logger.RenderErrors);
    }

    [Fact]
    public void Arguments_without_a_hole_are_ignored_as_MEL_does()
    {
        _logger.LogInformation("{A} {{b}}", 1, 2, 3);
        Assert.Equal("1 {b}", _logger.Message);
        // MEL's own oddity: without any hole nothing is formatted, so doubled braces stay doubled.
        _logger.LogInformation("none {{b}}", 1);
        Assert.Equal("none {{b}}", _logger.Message);
    }

    [Theory]
    [InlineData("plain {A} {{B}} } {")]
    [InlineData("")]
    [InlineData("{{")]
    [InlineData("\uD83D")]
    public void Without_arguments_the_template_is_the_message(string template)
    {
        _logger.LogInformation(template);
        Assert.Equal(Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(template)), _logger.Message);
        Assert.Empty(_logger.Properties);
        Assert.Equal(template, _logger.Template);
    }

    [Fact]
    public void A_null_message_is_written_as_MEL_writes_it()
    {
        _logger.LogInformation(null);
        Assert.Equal("[null]", _logger.Message);
        Assert.False(_logger.IsMessageNull);
    }

    [Fact]
    public void A_string_state_is_only_a_message()
    {
        _logger.Log(LogLevel.Information, default, "plain", null, (state, _) => state);
        Assert.Equal("plain", _logger.Message);
        Assert.Empty(_logger.Properties);
        Assert.Null(_logger.Template);
    }

    [Fact]
    public void A_null_key_is_dropped()
    {
        var state = new List<KeyValuePair<string, object?>> { new(null!, 1), new("a", 1), new("{OriginalFormat}", "t {a}") };
        _logger.Log(LogLevel.Information, default, state, null, (_, _) => "m");
        Assert.Equal(["a=1"], _logger.Properties);
        Assert.Equal("t {a}", _logger.Template);
        Assert.Equal("m", _logger.Message);
    }

    [Fact]
    public void A_formatter_that_throws_is_named()
    {
        _logger.Log(LogLevel.Information, default, 1, null, (_, _) => throw new FormatException("x"));
        Assert.Equal("<error formatting message: System.FormatException>", _logger.Message);
        Assert.Equal(1, _logger.RenderErrors);
    }

    [Fact]
    public void A_formatter_that_is_missing_is_named_and_harms_nobody()
    {
        _logger.Log(LogLevel.Information, default, 1, null, null!);
        Assert.Equal("<error formatting message: System.NullReferenceException>", _logger.Message);
        new WithoutFormatter(_logger).LogInformation("{A}", 1);
        Assert.Equal("<error formatting message: System.NullReferenceException>", _logger.Message);
        Assert.Equal(["A=1"], _logger.Properties);
    }

    [Fact]
    public void A_formatter_that_returns_null_gives_an_empty_message()
    {
        _logger.Log(LogLevel.Information, default, 1, null, (_, _) => null!);
        Assert.Equal("", _logger.Message);
        Assert.True(_logger.IsMessageNull);
        Assert.Equal(0, _logger.RenderErrors);
    }

    [Fact]
    public void A_formatter_that_is_missing_at_first_does_not_leave_the_messages_of_a_state_to_the_formatter()
    {
        // A state that no other test uses: what its first event shows holds for the process.
        var log = LoggerMessage.Define<Half, TimeOnly, char>(LogLevel.Information, default, "{A} {B} {C}");
        log(new WithoutFormatter(_logger), Half.One, TimeOnly.MinValue, 'x', null);
        var comparing = new ComparingLogger();
        log(comparing, Half.One, TimeOnly.MinValue, 'x', null);
        Assert.Equal(1, comparing.Equal);
    }

    [Fact]
    public void A_huge_text_is_truncated_at_a_rune_and_its_length_is_known()
    {
        _logger.Limit = 4096;
        var text = "a" + string.Concat(Enumerable.Repeat("\uD83D\uDE00", 2_000_000));
        _logger.LogInformation("{Text}!", text);
        Assert.Equal("a" + string.Concat(Enumerable.Repeat("\uD83D\uDE00", 1023)), _logger.Message);
        Assert.Equal(1 + 8_000_000 + 1, _logger.MessageLength);
        _logger.Log(LogLevel.Information, default, text, null, (state, _) => state);
        Assert.Equal(8_000_001, _logger.MessageLength);
        Assert.Equal(4093, Encoding.UTF8.GetByteCount(_logger.Message));
    }

    [Theory]
    [InlineData(3, 0xFF)]
    [InlineData(int.MaxValue, (byte)'x')]
    [InlineData(-1, (byte)'x')]
    public void A_value_that_writes_wrong_UTF_8_is_rendered_from_its_text(int written, byte value)
    {
        _logger.LogInformation("<{Bad}>", new BadUtf8(written, value));
        Assert.Equal("<sound>", _logger.Message);
    }

    [Fact]
    public void A_list_that_lies_about_its_count_keeps_what_it_gave()
    {
        _logger.Log(LogLevel.Information, default, new LyingList(5, 2), null, (_, _) => "m");
        Assert.Equal(["k0=0", "k1=1"], _logger.Properties);
        Assert.Equal("m", _logger.Message);
        Assert.Equal(1, _logger.RenderErrors);
        _logger.Log(LogLevel.Information, default, new LyingList(-1, 2), null, (_, _) => "m");
        Assert.Empty(_logger.Properties);
        _logger.Log(LogLevel.Information, default, new LyingList(int.MaxValue, int.MaxValue), null, (_, _) => "m");
        Assert.Equal(Enumerable.Range(0, 1024).Select(static i => $"k{i}={i}"), _logger.Properties);
    }

    [Fact]
    public void Pairs_are_read_from_any_sequence_and_any_static_type()
    {
        _logger.Log<object>(LogLevel.Information, default, new Dictionary<string, object?> { ["a"] = 1 }, null, (_, _) => "m");
        Assert.Equal(["a=1"], _logger.Properties);
        _logger.Log(LogLevel.Information, default, new ThrowingPairs(2), null, (_, _) => "m");
        Assert.Equal(["k0=0", "k1=1"], _logger.Properties);
        Assert.Equal(1, _logger.RenderErrors);
        _logger.Log(LogLevel.Information, default, new EndlessSequence(), null, (_, _) => "m");
        Assert.Equal(1024, _logger.Properties.Length);
        _logger.Log<object?>(LogLevel.Information, default, null, null, (_, _) => "m");
        Assert.Empty(_logger.Properties);
    }

    [Fact]
    public void A_wrapper_that_brings_its_own_formatter_decides_the_message()
    {
        var wrapper = new WrappingLogger(_logger);
        var defined = LoggerMessage.Define<int>(LogLevel.Information, default, "{A}");
        for (var i = 0; i < 40; i++)
        {
            wrapper.LogInformation("{A}", i);
            Assert.Equal($"wrapped {i}", _logger.Message);
            defined(wrapper, i, null);
            Assert.Equal($"wrapped {i}", _logger.Message);
            Assert.Equal([$"A={i}"], _logger.Properties);
            defined(_logger, i, null);
            Assert.Equal($"{i}", _logger.Message);
        }
    }

    [Fact]
    public void A_list_changed_meanwhile_does_no_harm()
    {
        var state = new List<KeyValuePair<string, object?>>();
        var stop = false;
        var changer = new Thread(() =>
        {
            while (!Volatile.Read(ref stop))
            {
                state.Add(new("k", "\uD83D\uDE00"));
                if (state.Count > 50)
                    state.Clear();
            }
        });
        changer.Start();
        var whole = 0;
        try
        {
            for (var i = 0; i < 20_000; i++)
            {
                _logger.Log(LogLevel.Information, default, state, null, (_, _) => $"m {i}");
                whole += _logger.Message == $"m {i}" ? 1 : 0;
            }
        }
        finally
        {
            Volatile.Write(ref stop, true);
            changer.Join();
        }

        Assert.Equal((20_000, 0), (whole, _logger.Reentrant));
    }

    private sealed class WrappingLogger(ILogger inner) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            => inner.Log(logLevel, eventId, state, exception, (s, e) => "wrapped " + formatter(s, e));
    }

    private sealed class WithoutFormatter(ILogger inner) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            => inner.Log(logLevel, eventId, state, exception, null!);
    }
}
