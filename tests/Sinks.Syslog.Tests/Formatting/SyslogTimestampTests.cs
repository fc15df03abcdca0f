using System.Globalization;
using System.Text;
using AsyncLog.Tests.Vectors;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

public sealed class SyslogTimestampTests
{
    [Fact]
    public void Every_instant_is_cut_to_six_digits_in_every_zone() =>
        Prop.ForAll(Arb.From(Gen.Choose(0, int.MaxValue)), Arb.From(Gen.Choose(0, 19_999_999)), Arb.From(Gen.Choose(-840, 840)), static (part, step, minutes) =>
        {
            // Two instants, near each other or not: the second is patched into the text of the first where it may be.
            var first = (long)(part / (double)int.MaxValue * (DateTime.MaxValue.Ticks - (2 * TimeSpan.TicksPerDay))) + TimeSpan.TicksPerDay;
            var zone = new VectorClock(TimeSpan.FromMinutes(minutes));
            var cache = new TimestampCache();
            var timestamp = new SyslogTimestamp(SyslogForm.Rfc5424, zone);
            foreach (var ticks in new[] { first, first + step, first })
            {
                var expected = new DateTimeOffset(ticks, TimeSpan.Zero).ToOffset(TimeSpan.FromMinutes(minutes))
                    .ToString("yyyy-MM-dd'T'HH:mm:ss.ffffffzzz", CultureInfo.InvariantCulture);
                Assert.Equal(expected, Write(timestamp, ticks, cache));
            }
        }).QuickCheckThrowOnFailureWith(2000);

    [Fact]
    public void Two_formats_on_one_thread_do_not_disturb_each_other()
    {
        var cache = new TimestampCache();
        var utc = new SyslogTimestamp(SyslogForm.Rfc5424, null);
        var bsd = new SyslogTimestamp(SyslogForm.Rfc3164, null);
        var ticks = VectorClock.Noon.UtcTicks;

        Assert.Equal("2026-11-20T12:34:56.123456Z", Write(utc, ticks, cache));
        Assert.Equal("Nov 20 12:34:56", Write(bsd, ticks, cache));
        Assert.Equal("2026-11-20T12:34:56.123456Z", Write(utc, ticks, cache));
        Assert.Equal("-", Write(utc, 0, cache));
    }

    [Theory]
    [InlineData("udp://h", null, null, "2026-11-20T12:34:56.123456Z")]
    [InlineData("udp://h", null, false, "2026-11-20T09:04:56.123456-03:30")]
    [InlineData("udp://h", "Rfc3164", null, "Nov 20 09:04:56")]
    [InlineData("udp://h", "Rfc3164", true, "Nov 20 12:34:56")]
    [InlineData("unix:///dev/log", null, null, "Nov 20 09:04:56")]
    [InlineData("unix:///dev/log", "Rfc5424", null, "2026-11-20T12:34:56.123456Z")]
    [InlineData("udp://h", "Local", null, "Nov 20 09:04:56")]
    public async Task A_form_without_a_zone_carries_local_time_unless_UTC_is_asked_for(string endpoint, string? format, bool? utc, string expected)
    {
        using var harness = new SyslogHarness(
            options =>
            {
                // Before the form: what was asked for stays.
                if (utc is { } wanted)
                    options.UseUtcTimestamp = wanted;
                (options.Endpoint, options.Format) = (new Uri(endpoint), format);
            },
            new VectorClock(new TimeSpan(-3, -30, 0)));
        harness.Logger().LogInformation("hello");

        var record = Encoding.ASCII.GetString(Assert.Single(await harness.TakeAsync()));
        Assert.StartsWith((expected.StartsWith('2') ? "<14>1 " : "<14>") + expected + ' ', record, StringComparison.Ordinal);
    }

    private static string Write(SyslogTimestamp timestamp, long ticks, TimestampCache cache)
    {
        var writer = new Utf8Writer(new RecordBuffer());
        timestamp.Write(ref writer, ticks, cache);
        return Encoding.ASCII.GetString(writer.Since(0));
    }
}
