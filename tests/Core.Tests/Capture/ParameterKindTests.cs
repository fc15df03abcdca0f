using System.Text.RegularExpressions;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Parameters of every kind, null first and null later, in calls that are new and in calls that are known.</summary>
public sealed class ParameterKindTests
{
    // Far more than the events that a state and a call need until they are known.
    private const int Times = 40;

    private static readonly Uri Address = new("http://host/a b");

    public static TheoryData<string> Formats => ["Text", "Json", "Clef"];

    [Theory]
    [MemberData(nameof(Formats))]
    public async Task A_parameter_of_any_kind_is_whole_from_the_first_record_to_the_last(string format)
    {
        await Check<OrderId?>(format, new OrderId(5), "OrderId { Number = 5 }", "\"OrderId { Number = 5 }\"");
        await Check<OrderId>(format, new OrderId(6), "OrderId { Number = 6 }", "\"OrderId { Number = 6 }\"");
        await Check<(int, string)?>(format, (1, "a"), "(1, a)", "\"(1, a)\"");
        await Check<nint?>(format, -7, "-7", "\"-7\"");
        await Check<DayOfWeek?>(format, DayOfWeek.Friday, "Friday", "\"Friday\"");
        await Check<DayOfWeek>(format, DayOfWeek.Monday, "Monday", "\"Monday\"");
        await Check<int?>(format, -5, "-5", "-5");
        await Check<long>(format, long.MinValue, "-9223372036854775808", "-9223372036854775808");
        await Check<double?>(format, 1.5, "1.5", "1.5");
        await Check<decimal?>(format, 12.50m, "12.50", "12.50");
        await Check<bool?>(format, true, "True", "true");
        await Check<char>(format, 'c', "c", "\"c\"");
        await Check<Guid?>(format, new Guid(1, 0, 0, new byte[8]), "00000001-0000-0000-0000-000000000000", "\"00000001-0000-0000-0000-000000000000\"");
        await Check<TimeSpan?>(format, TimeSpan.FromSeconds(90), "00:01:30", "\"00:01:30\"");
        await Check<DateOnly>(format, new DateOnly(2026, 11, 27), "11/27/2026", "\"2026-11-27\"");
        await Check<string?>(format, "text", "text", "\"text\"");
        await Check<string?>(format, "M\u00FCller", "M\u00FCller", "\"M\u00FCller\"");
        await Check<Uri?>(format, Address, "http://host/a b", "\"http://host/a b\"");
        await Check<object?>(format, 3, "3", "3");
        await Check<object?>(format, new OrderId(7), "OrderId { Number = 7 }", "\"OrderId { Number = 7 }\"");
        await Check<int[]?>(format, [1, 2], "1, 2", "[1,2]");
        await Check<string[]?>(format, ["a", "b"], "a, b", "[\"a\",\"b\"]");
        await Check<List<DayOfWeek>?>(format, [DayOfWeek.Friday, DayOfWeek.Monday], "Friday, Monday", "[\"Friday\",\"Monday\"]");
        await Check<Dictionary<string, int>?>(format, new Dictionary<string, int> { ["a"] = 1 }, "[a, 1]", "{\"a\":1}");
    }

    // Each position of the parameter makes a type of state of its own: null comes first in one of them, later in the other.
    private static async Task Check<T>(string format, T value, string text, string json)
    {
        var first = LoggerMessage.Define<T?, int>(LogLevel.Information, 1, "is {A} of {B}");
        var second = LoggerMessage.Define<int, T?>(LogLevel.Information, 1, "{B} is {A}");
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, options => (options.Format, options.Template) = (format, format == "Text" ? "{Level} {Message}{NewLine}" : null));
        T?[] values = default(T) is null ? [default, value, value, default, value] : [value];
        for (var round = 0; round < Times; round++)
        {
            foreach (var one in values)
                first(pipeline.Logger, one, 2, null);
        }

        for (var round = 0; round < Times; round++)
        {
            foreach (var one in values.Reverse())
                second(pipeline.Logger, 3, one, null);
        }

        // Beside those of LoggerMessage, template calls.
        for (var round = 0; round < Times; round++)
        {
            foreach (var one in values)
                pipeline.Logger.LogInformation("{A} in a box", one);
        }

        Assert.True(await pipeline.Flush());
        for (var i = 0; i < sink.Records.Count; i++)
        {
            var part = i / (Times * values.Length);
            var at = part == 1 ? values.Length - 1 - (i % values.Length) : i % values.Length;
            var message = Message(part, values[at] is null ? "(null)" : text);
            if (format == "Text")
            {
                Assert.Equal($"Information {message}", sink.Records[i]);
                continue;
            }

            Assert.Contains(format == "Json" ? $",\"Message\":\"{message}\"," : $",\"@m\":\"{message}\",", sink.Records[i], StringComparison.Ordinal);
            Assert.Matches($"[{{,]\"A\":{Regex.Escape(values[at] is null ? "null" : json)}[,}}]", sink.Records[i]);
        }

        Assert.Equal(3 * Times * values.Length, sink.Records.Count);
        Assert.Equal(0, pipeline.Status.RenderErrors);
    }

    private static string Message(int part, string text) => part switch
    {
        0 => $"is {text} of 2",
        1 => $"3 is {text}",
        _ => $"{text} in a box",
    };

    private readonly record struct OrderId(int Number);
}
