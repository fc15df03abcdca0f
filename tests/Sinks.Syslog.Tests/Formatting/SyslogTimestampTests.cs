using System.Globalization;
using System.Text;
using FsCheck.Fluent;

namespace AsyncLog.Tests;

public sealed class SyslogTimestampTests
{
    [Fact]
    public void SY_05_Every_instant_is_cut_to_six_digits_in_every_zone() =>
        Prop.ForAll(Arb.From(Gen.Choose(0, int.MaxValue)), Arb.From(Gen.Choose(0, 19_999_999)), Arb.From(Gen.Choose(-840, 840)), static (part, step, minutes) =>
        {
            // Two instants, near each other or not: the second is patched into the text of the first where it may be.
            var first = (long)(part / (double)int.MaxValue * (DateTime.MaxValue.Ticks - (2 * TimeSpan.TicksPerDay))) + TimeSpan.TicksPerDay;
            var zone = new VectorClock(TimeSpan.FromMinutes(minutes));
            var cache = new SecondText();
            var timestamp = new SyslogTimestamp(SyslogForm.Rfc5424, zone);
            foreach (var ticks in new[] { first, first + step, first })
            {
                var expected = new DateTimeOffset(ticks, TimeSpan.Zero).ToOffset(TimeSpan.FromMinutes(minutes))
                    .ToString("yyyy-MM-dd'T'HH:mm:ss.ffffffzzz", CultureInfo.InvariantCulture);
                Assert.Equal(expected, Write(timestamp, ticks, cache));
            }
        }).QuickCheckThrowOnFailureWith(2000);

    [Fact]
    public void SY_05_Two_formats_on_one_thread_do_not_disturb_each_other()
    {
        var cache = new SecondText();
        var utc = new SyslogTimestamp(SyslogForm.Rfc5424, null);
        var bsd = new SyslogTimestamp(SyslogForm.Rfc3164, null);
        var ticks = VectorClock.Noon.UtcTicks;

        Assert.Equal("2026-11-20T12:34:56.123456Z", Write(utc, ticks, cache));
        Assert.Equal("Nov 20 12:34:56", Write(bsd, ticks, cache));
        Assert.Equal("2026-11-20T12:34:56.123456Z", Write(utc, ticks, cache));
        Assert.Equal("-", Write(utc, 0, cache));
    }

    private static string Write(SyslogTimestamp timestamp, long ticks, SecondText cache)
    {
        var writer = new WireWriter(new SyslogScratch(), 0);
        timestamp.Write(ref writer, ticks, cache);
        return Encoding.ASCII.GetString(writer.Written);
    }
}
