using System.Globalization;

namespace AsyncLog;

/// <summary>The time of a record: rendered once per second and thread, in between only the fraction changes.</summary>
/// <param name="form">RFC 5424 §6.2.3, or the BSD form without year and fraction.</param>
/// <param name="local">Whose time zone to use, or null for UTC.</param>
internal sealed class SyslogTimestamp(SyslogForm form, TimeProvider? local)
{
    private const int FractionAt = 20;
    private const int FractionDigits = 6;
    private const int TicksPerMicrosecond = 10;

    /// <summary>Writes the time; nil when it is not known.</summary>
    public void Write(ref WireWriter writer, long utcTicks, SecondText cache)
    {
        if (utcTicks == 0 && form == SyslogForm.Rfc5424)
        {
            writer.Write((byte)'-');
            return;
        }

        if (!ReferenceEquals(cache.Owner, this) || (ulong)(utcTicks - cache.Start) >= TimeSpan.TicksPerSecond)
            Fill(cache, utcTicks - (utcTicks % TimeSpan.TicksPerSecond));
        var span = writer.GetSpan(SecondText.Longest);
        cache.Bytes.CopyTo(span);
        if (form == SyslogForm.Rfc5424)
            WriteFraction(span.Slice(FractionAt, FractionDigits), (uint)(utcTicks - cache.Start) / TicksPerMicrosecond);
        writer.Advance(cache.Length);
    }

    private static void WriteFraction(Span<byte> digits, uint microseconds)
    {
        for (var i = FractionDigits - 1; i >= 0; i--)
        {
            var rest = microseconds / 10;
            digits[i] = (byte)('0' + (microseconds - (rest * 10)));
            microseconds = rest;
        }
    }

    private void Fill(SecondText cache, long start)
    {
        var time = Convert(start);
        Span<byte> bytes = cache.Bytes;
        int length;
        if (form == SyslogForm.Rfc5424)
        {
            time.TryFormat(bytes, out length, "yyyy-MM-dd'T'HH:mm:ss.ffffff", CultureInfo.InvariantCulture);
            length += WriteOffset(bytes[length..], time);
        }
        else
        {
            time.TryFormat(bytes, out length, "MMM dd HH:mm:ss", CultureInfo.InvariantCulture);
            if (bytes[4] == '0')
                bytes[4] = (byte)' ';
        }

        cache.Length = length;
        cache.Start = start;
        cache.Owner = this;
    }

    private int WriteOffset(Span<byte> bytes, DateTimeOffset time)
    {
        if (local is null)
        {
            bytes[0] = (byte)'Z';
            return 1;
        }

        time.TryFormat(bytes, out var length, "zzz", CultureInfo.InvariantCulture);
        return length;
    }

    private DateTimeOffset Convert(long utcTicks)
    {
        var offset = local is null ? TimeSpan.Zero : local.LocalTimeZone.GetUtcOffset(new DateTime(utcTicks, DateTimeKind.Utc));
        var ticks = utcTicks + offset.Ticks;
        return ticks >= 0 && ticks <= DateTime.MaxValue.Ticks
            ? new DateTimeOffset(ticks, offset)
            : new DateTimeOffset(utcTicks, TimeSpan.Zero);
    }
}
