using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Events;

/// <summary>The table belongs to the process: no other test fills it meanwhile.</summary>
[Collection(nameof(TemplateTableTests))]
[CollectionDefinition(nameof(TemplateTableTests), DisableParallelization = true)]
public sealed class TemplateTableTests
{
    [Fact]
    public void The_same_text_is_parsed_once_and_found_by_value_too()
    {
        const string Text = "The {Same} text";
        var first = TemplateTable.Find(Text);
        Assert.NotNull(first);
        Assert.Same(first, TemplateTable.Find(Text));
        Assert.Same(first, TemplateTable.Find(new string(Text.AsSpan())));
        Assert.Equal(["Same"], first.Names);
    }

    [Fact]
    public void Thousands_of_texts_are_found_right()
    {
        for (var round = 0; round < 2; round++)
        {
            for (var i = 0; i < 10_000; i++)
            {
                var template = TemplateTable.Find($"text {i} {{Name{i}}}");
                Assert.Equal([$"Name{i}"], template!.Names);
            }
        }
    }

    [Fact]
    public void Templates_in_use_stay_although_the_table_is_full_of_old_ones()
    {
        for (var i = 0; i < 20_000; i++)
            TemplateTable.Find($"old {i} {{A}}");
        var owners = Enumerable.Range(0, 200).Select(_ => new object()).ToArray();
        var template = TemplateTable.Find("in use {A}")!;
        var missed = owners.Length;
        for (var round = 0; round < 100 && missed > 0; round++)
        {
            missed = 0;
            foreach (var owner in owners.Where(owner => TemplateTable.FindByOwner(owner) is null))
            {
                missed++;
                TemplateTable.Add(owner, template);
            }
        }
        Assert.Equal(0, missed);
    }

    [Theory]
    [InlineData("{A")]
    [InlineData("A}")]
    [InlineData("{A}}")]
    [InlineData("{A,}")]
    [InlineData("{A,x}")]
    [InlineData("{A:{b}")]
    public void Templates_that_MEL_refuses_are_left_to_the_formatter(string text)
    {
        Assert.Throws<FormatException>(() => new FormattingLogger().LogInformation(text, 1));
        Assert.Null(TemplateTable.Find(text));
    }

    [Fact]
    public void A_text_longer_than_8_KB_is_left_to_the_formatter()
    {
        Assert.Equal(["A"], TemplateTable.Find(new string('x', (8 << 10) - 3) + "{A}")!.Names);
        Assert.Null(TemplateTable.Find(new string('x', (8 << 10) - 2) + "{A}"));
    }

    /// <summary>Makes the message as MEL does.</summary>
    private sealed class FormattingLogger : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            => formatter(state, exception);
    }
}
