using System.Runtime.CompilerServices;
using System.Text;
using AsyncLog.Tests.Capture;

namespace AsyncLog.Tests.Events;

public sealed class PlainTypeTests
{
    private const int Room = 64;

    private enum Umlaut
    {
        ä,
    }

    [Fact]
    public void Values_whose_text_is_plain_are_written_where_they_lie()
    {
        Check(-5, "-5", "-5");
        Check((short)7, "7", "7");
        Check(ulong.MaxValue, "18446744073709551615", "18446744073709551615");
        Check(12.5, "12.5", "12.5");
        Check(1e300, "1E+300", "1E+300");
        Check(0.75f, "0.75", "0.75");
        Check(-19.90m, "-19.90", "-19.90");
        Check(true, "True", "true");
        Check(DayOfWeek.Friday, "Friday", "\"Friday\"");
        Check((DayOfWeek)9, "9", "\"9\"");
        Check(Guid.Empty, "00000000-0000-0000-0000-000000000000", "\"00000000-0000-0000-0000-000000000000\"");
        Check(new DateTime(2026, 11, 26, 9, 5, 0, DateTimeKind.Utc), "11/26/2026 09:05:00", "\"2026-11-26T09:05:00.0000000Z\"");
        Check(new DateTimeOffset(2026, 11, 26, 9, 5, 0, TimeSpan.FromHours(1)), "11/26/2026 09:05:00 +01:00", "\"2026-11-26T09:05:00.0000000+01:00\"");
        Check(new DateOnly(2026, 1, 2), "01/02/2026", "\"2026-01-02\"");
        Check(new TimeOnly(9, 5), "09:05", "\"09:05:00.0000000\"");
        Check(TimeSpan.FromSeconds(90), "00:01:30", "\"00:01:30\"");
        Check<string?[]>(["one", "two"], "one, two", "[\"one\",\"two\"]");
        Check<string?[]>([], "", "[]");
    }

    [Fact]
    public void Values_whose_text_may_be_anything_else_are_left_to_the_renderers()
    {
        Check(double.NaN, "NaN", null, isInString: false);
        Check(float.NegativeInfinity, "-Infinity", null, isInString: false);
        Check('x', null, null);
        Check((DayOfWeek)(-1), null, null);
        Check(Umlaut.ä, null, null);
        Check<string?[]?>(null, null, null);
        Check<string?[]>(["one", null], null, null);
        Check<string?[]>(["\"quoted\""], "\"quoted\"", null);
        Check<string?[]>(["line\nbreak"], null, null);
        Check<string?[]>(["longer than the whole room", "longer than the whole room", "longer than the whole room"], null, null);
        Check<string?[]>([.. Enumerable.Repeat("x", 17)], null, null);
    }

    [Fact]
    public void Only_types_whose_text_runs_no_code_of_users_are_written_where_they_lie()
        => Assert.All(
            (Type[])
            [
                typeof(object), typeof(string), typeof(object[]), typeof(List<string>), typeof(Uri), typeof(KeyValuePair<string, int>),
                typeof(Point), typeof(Point?), typeof(Degrees), typeof(Price),
            ],
            static type => Assert.Null(StateLayout.PlainTypeOf(type)));

    // With a form other than Other, each value that is written in a string of JSON is written as an element, too, with the same text.
    private static void Check<T>(T value, string? message, string? json, bool isInString = true)
    {
        var inString = !isInString || message is null || message.Contains('"', StringComparison.Ordinal) ? null : message;
        var type = StateLayout.PlainTypeOf(typeof(T))!;
        Assert.Equal(message, TextOf(type, ref Unsafe.As<T, byte>(ref value), ValueStyle.Text));
        Assert.Equal(inString, TextOf(type, ref Unsafe.As<T, byte>(ref value), ValueStyle.JsonString));
        Assert.Equal(json, TextOf(type, ref Unsafe.As<T, byte>(ref value), ValueStyle.Json));
        if (type.Form != ElementForm.Other)
            Assert.Equal(json, inString is not null && type.Form == ElementForm.Quoted ? $"\"{inString}\"" : inString);
    }

    private static string? TextOf(PlainType type, ref byte value, ValueStyle style)
    {
        Span<byte> room = stackalloc byte[Room];
        var length = type.TryWrite(ref value, style, room);
        return length == PlainType.NotPlain ? null : Encoding.ASCII.GetString(room[..length]);
    }
}
