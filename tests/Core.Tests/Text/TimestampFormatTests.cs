using System.Globalization;
using AsyncLog.Tests.Formatting;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncLog.Tests.Text;

public sealed class TimestampFormatTests
{
    private static readonly string[] Formats =
    [
        TextTemplate.DefaultTimestamp, "O", "o", "s", "u", "R", "HH:mm:ss", "HH:mm:ss.fffffff", "ss.f", "mm':'ss','FFF", "fff ss", "yyyy-MM-ddTHH:mm:ss.ffffffK",
        "dddd, dd MMMM yyyy HH:mm:ss.ff zzz", "f'f'fff", "ss.fff 1.fff", "%f", "'0'fff'1'", "HH'\u202E'mm", "FFFFFFF",
        "HH:mm", "s.fff", "mmssfff", "ss'00'", "'12'ss'12'", "ss ss.ff",
    ];

    [Fact]
    public void A_new_format_gives_the_text_of_NET_for_any_time_and_zone()
    {
        var ticks = Gen.Choose(0, int.MaxValue).Select(n => Said.Noon.AddTicks(n % 30_000_000).UtcTicks);
        var anyTicks = Gen.Choose(0, int.MaxValue).Select(n => (long)(n / (double)int.MaxValue * DateTimeOffset.MaxValue.UtcTicks));
        var cache = new TimestampCache();
        Cultures.InEach(() => Prop.ForAll(Arb.From(Gen.OneOf(ticks, anyTicks)), Arb.From(Gen.Choose(-840, 840)), (time, minutes) =>
        {
            var offset = TimeSpan.FromMinutes(minutes);
            return Formats.All(format => Text(new TimestampFormat(format, new ZonedTime(offset), EscapeStyle.Text), time, cache) == Expected(format, time, offset));
        }).QuickCheckThrowOnFailure());
    }

    [Fact]
    public void One_format_object_gives_the_text_of_each_time_in_any_order()
    {
        var offset = TimeSpan.FromMinutes(330);
        var zone = new ZonedTime(offset);
        var formats = Formats.Select(format => (Text: format, Format: new TimestampFormat(format, zone, EscapeStyle.Text))).ToArray();
        var cache = new TimestampCache();
        var ticks = Gen.Choose(0, 200_000).Select(static milliseconds => Said.Noon.AddMilliseconds(milliseconds).AddTicks(milliseconds % 10_000).UtcTicks);
        Prop.ForAll(Arb.From(ticks), time => formats.All(format => Text(format.Format, time, cache) == Expected(format.Text, time, offset))).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void The_zone_is_asked_once_per_second_and_for_the_text_of_a_minute()
    {
        var zone = new CountingZone();
        var format = new TimestampFormat(TextTemplate.DefaultTimestamp, zone, EscapeStyle.Text);
        var cache = new TimestampCache();
        var minute = new DateTimeOffset(2026, 9, 3, 11, 31, 0, TimeSpan.Zero);
        Text(format, minute.UtcTicks, cache);
        var first = zone.Asked;
        // For the second, and for the text of the minute, which is compared with another one.
        Assert.Equal(3, first);
        for (var milliseconds = 0; milliseconds < 60_000; milliseconds += 250)
            Text(format, minute.AddMilliseconds(milliseconds).UtcTicks, cache);
        Assert.Equal(first + 59, zone.Asked);
        Text(format, minute.AddMinutes(1).UtcTicks, cache);
        Assert.Equal(first + 59 + first, zone.Asked);
    }

    [Fact]
    public void One_format_object_follows_the_clock_back_and_forth()
    {
        var cache = new TimestampCache();
        var format = new TimestampFormat("HH:mm:ss.fff", null, EscapeStyle.Text);
        Assert.Equal("11:31:07.482", Text(format, Said.Noon.UtcTicks, cache));
        Assert.Equal("11:31:07.999", Text(format, Said.Noon.AddMilliseconds(517).UtcTicks, cache));
        Assert.Equal("11:31:08.000", Text(format, Said.Noon.AddMilliseconds(518).UtcTicks, cache));
        Assert.Equal("11:31:07.482", Text(format, Said.Noon.UtcTicks, cache));
        var others = Enumerable.Range(0, 70).Select(_ => new TimestampFormat("ss", null, EscapeStyle.Text)).ToArray();
        foreach (var other in others)
            Assert.Equal("07", Text(other, Said.Noon.UtcTicks, cache));
        Assert.Equal("11:31:07.482", Text(format, Said.Noon.UtcTicks, cache));
    }

    [Fact]
    public void Many_formats_that_one_thread_uses_stay_cached()
    {
        var cache = new TimestampCache();
        // It is asked for each text that is not cached.
        var zone = new CountingZone();
        var formats = Enumerable.Range(0, 16).Select(i => new TimestampFormat($"HH:mm:ss.fff'{i}'", zone, EscapeStyle.Text)).ToArray();
        foreach (var format in formats)
            Text(format, Said.Noon.UtcTicks, cache);
        var asked = zone.Asked;
        Assert.InRange(asked, 16, int.MaxValue);
        for (var i = 0; i < formats.Length; i++)
            Assert.Equal($"11:31:07.482{i}", Text(formats[i], Said.Noon.UtcTicks, cache));
        Assert.Equal(asked, zone.Asked);
    }

    [Fact]
    [NotUnderWine("it has no ICU, which .NET needs for the names of time zones")]
    public void The_offset_changes_at_the_second_the_zone_changes_it()
    {
        var cache = new TimestampCache();
        var zone = TimeZoneInfo.FindSystemTimeZoneById("Europe/Berlin");
        var format = new TimestampFormat("HH:mm:ss.fff zzz", new ZonedTime(zone), EscapeStyle.Text);
        var change = new DateTimeOffset(2026, 10, 25, 1, 0, 0, TimeSpan.Zero);
        Assert.Equal("02:59:59.999 +02:00", Text(format, change.AddMilliseconds(-1).UtcTicks, cache));
        Assert.Equal("02:00:00.000 +01:00", Text(format, change.UtcTicks, cache));
    }

    [Fact]
    public void A_zone_that_is_replaced_is_in_the_text_of_the_next_second()
    {
        var cache = new TimestampCache();
        var clock = new FakeTimeProvider();
        var format = new TimestampFormat("HH:mm:ss zzz", clock, EscapeStyle.Text);
        clock.SetZone(TimeZoneInfo.CreateCustomTimeZone("one", TimeSpan.FromMinutes(330), null, null));
        Assert.Equal("16:31:07 +05:30", Text(format, new DateTime(2026, 9, 3, 11, 1, 7, DateTimeKind.Utc).Ticks, cache));
        clock.SetZone(TimeZoneInfo.CreateCustomTimeZone("other", TimeSpan.FromHours(-5), null, null));
        Assert.Equal("06:01:08 -05:00", Text(format, new DateTime(2026, 9, 3, 11, 1, 8, DateTimeKind.Utc).Ticks, cache));
    }

    [Theory]
    [InlineData("q", "expected a .NET date and time format such as yyyy-MM-dd HH:mm:ss.fff")]
    [InlineData("yyyy 'open", "expected a .NET date and time format such as yyyy-MM-dd HH:mm:ss.fff")]
    [InlineData("'12345678901234567890123456789012345678901234567890123456789'yyyyMM", "must give at most 64 characters")]
    public void A_bad_format_is_refused(string format, string rule) => Assert.Equal(rule, TimestampFormat.Check(format));

    [Fact]
    public void Every_good_format_is_accepted()
    {
        Assert.All(Formats, format => Assert.Null(TimestampFormat.Check(format)));
        // 64 characters, the most that are allowed.
        Assert.Null(TimestampFormat.Check("'1234567890123456789012345678901234567890123456789012345678'yyyyMM"));
    }

    private static string Text(TimestampFormat format, long ticks, TimestampCache cache)
        => Raw.Text((ref Utf8Writer writer) => format.Write(ref writer, ticks, cache));

    private static string Expected(string format, long utcTicks, TimeSpan offset)
    {
        var ticks = utcTicks + offset.Ticks;
        var time = ticks < 0 || ticks > DateTime.MaxValue.Ticks ? new DateTimeOffset(utcTicks, TimeSpan.Zero) : new DateTimeOffset(ticks, offset);
        return time.ToString(format, CultureInfo.InvariantCulture).Replace("\u202E", "\\u202e", StringComparison.Ordinal);
    }

    private sealed class CountingZone : TimeProvider
    {
        public int Asked { get; private set; }

        public override TimeZoneInfo LocalTimeZone
        {
            get
            {
                Asked++;
                return TimeZoneInfo.Utc;
            }
        }
    }
}
