using System.Globalization;
using AsyncLog.Tests.Protocol;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Records;

/// <summary>Parameters of every kind, null first and null later, in calls that are new and in calls that are known.</summary>
public sealed class ParameterKindTests
{
    // Far more than the events that a state and a call need until they are known.
    private const int Times = 40;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_parameter_of_any_kind_is_whole_from_the_first_record_to_the_last(bool withMessage)
    {
        await Check<OrderId?>(withMessage, new OrderId(5), "OrderId { Number = 5 }");
        await Check<OrderId>(withMessage, new OrderId(6), "OrderId { Number = 6 }");
        await Check<(int, string)?>(withMessage, (1, "a"), "(1, a)");
        await Check<nint?>(withMessage, -7, "-7");
        await Check<DayOfWeek?>(withMessage, DayOfWeek.Friday, "Friday");
        await Check<DayOfWeek>(withMessage, DayOfWeek.Monday, "Monday");
        await Check<int?>(withMessage, -5, "-5");
        await Check<double?>(withMessage, 1.5, "1.5");
        await Check<decimal?>(withMessage, 12.50m, "12.50");
        await Check<bool?>(withMessage, true, "True");
        await Check<Guid?>(withMessage, new Guid(1, 0, 0, new byte[8]), "00000001-0000-0000-0000-000000000000");
        await Check<TimeSpan?>(withMessage, TimeSpan.FromSeconds(90), "00:01:30");
        await Check<DateOnly>(withMessage, new DateOnly(2026, 11, 27), "2026-11-27");
        await Check<string?>(withMessage, "M\u00FCller", "M\u00FCller");
        await Check<Uri?>(withMessage, new Uri("http://host/a b"), "http://host/a b");
        await Check<object?>(withMessage, new OrderId(7), "OrderId { Number = 7 }");
        await Check<int[]?>(withMessage, [1, 2], "[1,2]");
        await Check<string[]?>(withMessage, ["a", "b"], "[a,b]");
        await Check<List<DayOfWeek>?>(withMessage, [DayOfWeek.Friday], "[Friday]");
        await Check<Dictionary<string, int>?>(withMessage, new Dictionary<string, int> { ["a"] = 1 }, "{a=1}");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_call_with_too_few_arguments_takes_no_attribute_of_later_ones(bool withMessage)
    {
        const string Template = "moved {A} to {B} by {C}";
        using var harness = new OtlpHarness(options => options.IncludeFormattedMessage = withMessage);
        var logger = harness.Logger();
        for (var i = 0; i < Times; i++)
            logger.LogInformation(Template, i);
        await harness.TakeAsync();
        for (var i = 0; i < Times; i++)
            logger.LogInformation(Template, 1, "place", true);
        var records = await harness.TakeAsync();
        Assert.Equal(Times, records.Length);
        Assert.All(records, static record => Assert.Equal(["A=1", "B=place", "C=True"], record.Decoded().Attributes.Where(static pair => pair.Key != "{OriginalFormat}").Select(static pair => pair.Key + "=" + TextOf(pair.Value))));
    }

    // Each position of the parameter makes a type of state of its own: null comes first in one of them, later in the other.
    private static async Task Check<T>(bool withMessage, T value, string text)
    {
        var first = LoggerMessage.Define<T?, int>(LogLevel.Information, 1, "is {A} of {B}");
        var second = LoggerMessage.Define<int, T?>(LogLevel.Information, 1, "{B} is {A}");
        using var harness = new OtlpHarness(options => options.IncludeFormattedMessage = withMessage);
        var logger = harness.Logger();
        T?[] values = default(T) is null ? [default, value, value, default, value] : [value];
        for (var i = 0; i < Times * values.Length; i++)
            first(logger, values[i % values.Length], 2, null);
        for (var i = 0; i < Times * values.Length; i++)
            second(logger, 3, values[^(1 + (i % values.Length))], null);
        for (var i = 0; i < Times * values.Length; i++)
            logger.LogInformation("{A} in a box", values[i % values.Length]);

        var records = await harness.TakeAsync();
        Assert.Equal(3 * Times * values.Length, records.Length);
        for (var i = 0; i < records.Length; i++)
        {
            var at = i / (Times * values.Length) == 1 ? values.Length - 1 - (i % values.Length) : i % values.Length;
            var attribute = Assert.Single(records[i].Decoded().Attributes, static pair => pair.Key == "A");
            Assert.Equal(values[at] is null ? "null" : text, TextOf(attribute.Value));
        }

        Assert.Equal(0, harness.Status.RenderErrors);
    }

    private static string TextOf(AnyValue value) => value.ValueCase switch
    {
        AnyValue.ValueOneofCase.None => "null",
        AnyValue.ValueOneofCase.ArrayValue => $"[{string.Join(',', value.ArrayValue.Values.Select(TextOf))}]",
        AnyValue.ValueOneofCase.KvlistValue => $"{{{string.Join(',', value.KvlistValue.Values.Select(static pair => pair.Key + "=" + TextOf(pair.Value)))}}}",
        AnyValue.ValueOneofCase.IntValue => value.IntValue.ToString(CultureInfo.InvariantCulture),
        AnyValue.ValueOneofCase.DoubleValue => value.DoubleValue.ToString(CultureInfo.InvariantCulture),
        AnyValue.ValueOneofCase.BoolValue => value.BoolValue ? "True" : "False",
        _ => value.StringValue,
    };

    private readonly record struct OrderId(int Number);
}
