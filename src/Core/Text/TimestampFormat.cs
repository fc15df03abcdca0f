using System.Globalization;

namespace AsyncLog;

/// <summary>A .NET date format that is run once per second; in between only the digits of the fraction change.</summary>
internal sealed class TimestampFormat
{
    /// <summary>The most characters a time stamp may have.</summary>
    public const int MaxLength = 64;

    private const long SampleFraction = 1234567;

    // A Wednesday in September: the longest names there are.
    private static readonly DateTimeOffset LongDate = new(2026, 9, 30, 22, 58, 59, 999, new TimeSpan(-11, -30, 0));

    private readonly string _format;
    private readonly TimeProvider? _local;
    private readonly EscapeStyle _style;

    /// <param name="format">A format that <see cref="Check"/> accepts.</param>
    /// <param name="local">Whose time zone to use, or null for UTC.</param>
    /// <param name="style">How literals of the format are escaped.</param>
    public TimestampFormat(string format, TimeProvider? local, EscapeStyle style)
    {
        _format = format;
        _local = local;
        _style = style;
    }

    /// <summary>The rule a format breaks, in words; null when it breaks none.</summary>
    public static string? Check(string format)
    {
        try
        {
            var length = LongDate.ToString(format, CultureInfo.InvariantCulture).Length;
            return length <= MaxLength ? null : $"must give at most {MaxLength} characters";
        }
        catch (FormatException)
        {
            // Reported by the caller; pinned by TimestampFormatTests and SettingsReaderTests.
            return "expected a .NET date and time format such as yyyy-MM-dd HH:mm:ss.fff";
        }
    }

    /// <summary>Writes the time, escaped.</summary>
    public void Write(ref Utf8Writer writer, long utcTicks, TimestampCache cache)
    {
        var entry = cache.Find(this);
        if ((ulong)(utcTicks - entry.Start) >= TimeSpan.TicksPerSecond)
            Fill(entry, cache, utcTicks - (utcTicks % TimeSpan.TicksPerSecond));
        if (entry.FractionDigits < 0)
        {
            Render(ref writer, utcTicks);
            return;
        }
        var span = writer.GetSpan(Math.Max(entry.Length, Utf8Literal.Block));
        entry.CopyTo(span);
        if (entry.FractionDigits > 0)
            WriteFraction(span.Slice(entry.FractionAt, entry.FractionDigits), (uint)(utcTicks - entry.Start));
        writer.Advance(entry.Length);
    }

    private static void WriteFraction(Span<byte> digits, uint fraction)
    {
        if (digits.Length == 3)
        {
            // What nearly everybody prints, without a loop.
            var milliseconds = fraction / (uint)TimeSpan.TicksPerMillisecond;
            digits[0] = (byte)('0' + (milliseconds / 100));
            digits[1] = (byte)('0' + (milliseconds / 10 % 10));
            digits[2] = (byte)('0' + (milliseconds % 10));
            return;
        }
        if (digits.Length == 7)
        {
            WriteAllDigits(digits, fraction);
            return;
        }
        for (var unused = 7 - digits.Length; unused > 0; unused--)
            fraction /= 10;
        for (var i = digits.Length - 1; i >= 0; i--)
        {
            digits[i] = (byte)('0' + (fraction % 10));
            fraction /= 10;
        }
    }

    // Two at a time, each pair without waiting for the one before.
    private static void WriteAllDigits(Span<byte> digits, uint fraction)
    {
        digits[0] = (byte)('0' + (fraction / 1_000_000));
        WritePair(digits[1..], fraction / 10_000 % 100);
        WritePair(digits[3..], fraction / 100 % 100);
        WritePair(digits[5..], fraction % 100);
    }

    private static void WritePair(Span<byte> digits, uint value)
    {
        digits[0] = (byte)('0' + (value / 10));
        digits[1] = (byte)('0' + (value % 10));
    }

    /// <summary>Finds the digits of the fraction by comparing two texts of the same second, so the format itself need not be understood.</summary>
    private void Fill(TimestampCache.Entry entry, TimestampCache cache, long start)
    {
        Render(cache.Text, start);
        Render(cache.Sample, start + SampleFraction);
        var text = cache.Text.WrittenSpan;
        var sample = cache.Sample.WrittenSpan;
        entry.SetText(text);
        entry.Start = start;
        entry.FractionAt = text.CommonPrefixLength(sample);
        entry.FractionDigits = CountDigits(text, sample, entry.FractionAt);
    }

    private static int CountDigits(ReadOnlySpan<byte> text, ReadOnlySpan<byte> sample, int at)
    {
        if (text.Length != sample.Length)
            return -1;
        var digits = 0;
        while (at + digits < text.Length && digits < 7 && text[at + digits] == '0' && sample[at + digits] == '1' + digits)
            digits++;
        return text[(at + digits)..].SequenceEqual(sample[(at + digits)..]) ? digits : -1;
    }

    private void Render(RecordBuffer output, long utcTicks)
    {
        output.Reset(int.MaxValue);
        var writer = new Utf8Writer(output);
        Render(ref writer, utcTicks);
        writer.Flush();
    }

    private void Render(ref Utf8Writer writer, long utcTicks)
    {
        Span<char> room = stackalloc char[2 * MaxLength];
        var time = Convert(utcTicks);
        ReadOnlySpan<char> text = time.TryFormat(room, out var length, _format, CultureInfo.InvariantCulture)
            ? room[..length]
            : time.ToString(_format, CultureInfo.InvariantCulture);
        Escaping.Write(ref writer, text, _style);
    }

    private DateTimeOffset Convert(long utcTicks)
    {
        var offset = _local is null ? TimeSpan.Zero : _local.LocalTimeZone.GetUtcOffset(new DateTime(utcTicks, DateTimeKind.Utc));
        var ticks = utcTicks + offset.Ticks;
        return ticks >= 0 && ticks <= DateTime.MaxValue.Ticks
            ? new DateTimeOffset(ticks, offset)
            : new DateTimeOffset(utcTicks, TimeSpan.Zero);
    }
}
