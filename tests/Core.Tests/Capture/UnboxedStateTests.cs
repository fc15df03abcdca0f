using System.Collections;
using System.Linq.Expressions;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

public sealed class UnboxedStateTests
{
    private readonly CapturingLogger _logger = new();

    [Fact]
    public void The_message_is_rendered_from_the_template_and_the_further_properties_follow()
    {
        _logger.Log(LogLevel.Information, default, new Sale("{Count,3} of {Item}", 7, "salt"), null, Sale.Formatter);
        Assert.Equal("  7 of salt", _logger.Message);
        Assert.Equal("{Count,3} of {Item}", _logger.Template);
        Assert.Equal(["Count=7", "Item=salt", "Site=main"], _logger.Properties);
        Assert.Equal(0, _logger.RenderErrors);
    }

    [Fact]
    public void The_formatter_of_another_module_makes_the_message()
    {
        var wrapper = Expression.Lambda<Func<Sale, Exception?, string>>(Expression.Constant("wrapped"), Expression.Parameter(typeof(Sale)), Expression.Parameter(typeof(Exception))).Compile();
        _logger.Log(LogLevel.Information, default, new Sale("{Count} of {Item}", 7, "salt"), null, wrapper);
        Assert.Equal("wrapped", _logger.Message);
        Assert.Equal(["Count=7", "Item=salt", "Site=main"], _logger.Properties);
    }

    [Theory]
    [InlineData("{Count} of {Item} {Site} {More}")]
    [InlineData("{Count")]
    public void A_template_that_the_values_do_not_fit_is_left_to_the_formatter(string template)
    {
        _logger.Log(LogLevel.Information, default, new Sale(template, 7, "salt"), null, Sale.Formatter);
        Assert.Equal("by the formatter", _logger.Message);
        Assert.Equal(template, _logger.Template);
    }

    [Fact]
    public void A_value_that_throws_is_counted_and_what_came_before_stays()
    {
        _logger.Log(LogLevel.Information, default, new Sale("{Count} of {Item}", 7, null), null, Sale.Formatter);
        Assert.Equal("by the formatter", _logger.Message);
        Assert.Equal(["Count=7"], _logger.Properties);
        Assert.Equal(1, _logger.RenderErrors);
    }

    /// <summary>Throws for an item that is null.</summary>
    private readonly struct Sale(string template, int count, string? item) : IUnboxedState
    {
        public static readonly Func<Sale, Exception?, string> Formatter = static (_, _) => "by the formatter";

        public string Template => template;

        public int Count => 4;

        public KeyValuePair<string, object?> this[int index] => throw new InvalidOperationException("a box");

        public LogProperty GetProperty(int index) => index switch
        {
            0 => new("Count", LogValue.From(count)),
            1 => new("Item", LogValue.FromObject(item ?? throw new IOException())),
            _ => new("Site", LogValue.FromObject("main")),
        };

        public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => throw new InvalidOperationException("a box");

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
