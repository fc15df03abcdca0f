using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>A .NET date format that is rendered once per minute and thread; in between only the digits of the seconds and their fraction are replaced.</summary>
internal sealed class TimestampFormat
{
    /// <summary>The maximum number of characters of a timestamp.</summary>
    internal const int MaxLength = 64;

    // The cached text contains a fraction up to this length. Two records seldom have the same longer fraction.
    internal const int MillisecondDigits = 3;

    // 12.3456789 s after the start of a minute, where the digits of seconds and fraction are all 0.
    private const long SampleTicks = 123_456_789;

    // A Wednesday in September: the longest names there are.
    private static readonly DateTimeOffset LongDate = new(2026, 9, 30, 22, 58, 59, 999, new TimeSpan(-11, -30, 0));

    private const string Specifiers = "dfFghHKmMstyzTZ";

    // The letters of other notations.
    private static readonly Dictionary<char, char> Meanings = new()
    {
        ['Y'] = 'y',
        ['D'] = 'd',
        ['S'] = 'f',
    };

    private readonly string _format;
    private readonly TimeProvider? _local;
    private readonly EscapeStyle _style;

    /// <summary>Initializes a format.</summary>
    /// <param name="format">A valid .NET date and time format whose text has at most 64 characters.</param>
    /// <param name="local">The clock whose time zone is used; null for UTC.</param>
    /// <param name="style">Escaping of the format's literals.</param>
    public TimestampFormat(string format, TimeProvider? local, EscapeStyle style)
    {
        _format = format;
        _local = local;
        _style = style;
    }

    /// <summary>The first character of every time.</summary>
    internal char FirstCharacter => LongDate.ToString(_format, CultureInfo.InvariantCulture) is [var first, ..] ? first : ' ';

    /// <summary>Validates a format: gets the rule it breaks, or null.</summary>
    internal static string? Check(string format)
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

    /// <summary>Finds the first letter of a valid format that .NET prints as it is, as it does those of other notations: the Y of <c>YYYY-MM-DD</c>. Those of ISO 8601, T and
    /// Z, are meant.</summary>
    /// <returns>The letter, and the format that is probably meant; null: there is none.</returns>
    internal static (char Letter, string? Meant)? FindLiteralLetter(string format)
    {
        // One character is a standard format.
        if (format.Length < 2)
            return null;
        char? found = null;
        var meant = format.ToCharArray();
        for (var at = 0; at < format.Length; at++)
        {
            var character = format[at];
            if (character is '\'' or '"')
                at = Math.Max(at, format.IndexOf(character, at + 1));
            else if (character == '\\')
                at++;
            else if (char.IsLetter(character) && !Specifiers.Contains(character))
                (found, meant[at]) = (found ?? character, char.IsAsciiLetter(character) && Meanings.TryGetValue(character, out var letter) ? letter : '\0');
        }

        if (found is not { } first)
            return null;
        return (first, meant.AsSpan().Contains('\0') ? null : new string(meant));
    }

    /// <summary>Writes a time, escaped.</summary>
    /// <param name="writer">The destination.</param>
    /// <param name="utcTicks">The time in ticks of UTC.</param>
    /// <param name="cache">The thread's cache.</param>
    public void Write(ref Utf8Writer writer, long utcTicks, TimestampCache cache)
    {
        ArgumentNullException.ThrowIfNull(cache);
        var written = TryWrite(writer.GetSpan(MaxLength), utcTicks, cache);
        if (written < 0)
            Render(ref writer, utcTicks);
        else
            writer.Advance(written);
    }

    /// <summary>Writes a time whose text is cached.</summary>
    /// <param name="room">At least <see cref="MaxLength"/> bytes.</param>
    /// <returns>The number of bytes; -1, nothing was written: the text cannot be cached.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int TryWrite(Span<byte> room, long utcTicks, TimestampCache cache)
    {
        var entry = cache.Find(this);
        if ((ulong)(utcTicks - entry.Start) >= TimeSpan.TicksPerSecond)
            Advance(entry, cache, utcTicks);
        if (entry.FractionDigits == MillisecondDigits && (ulong)(utcTicks - entry.MillisecondStart) >= TimeSpan.TicksPerMillisecond)
            entry.SetMillisecond(utcTicks);
        if (entry.FractionDigits < 0)
            return -1;
        entry.CopyTo(room);
        if (entry.FractionDigits is not (0 or MillisecondDigits))
            WriteFraction(room.Slice(entry.FractionAt, entry.FractionDigits), (uint)(utcTicks - entry.Start));
        return entry.Length;
    }

    private static void WriteFraction(Span<byte> digits, uint fraction)
    {
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

    // Two at a time; no pair depends on the one before.
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

    // A separate method, because most calls are in the same second as the one before.
    private void Advance(TimestampCache.Entry entry, TimestampCache cache, long utcTicks)
    {
        // Offsets have whole minutes and change at the start of one: the seconds are those of UTC.
        var minute = utcTicks - (utcTicks % TimeSpan.TicksPerMinute);
        // A zone that was replaced within the minute is another object: TimeZoneInfo.ClearCachedData.
        var zone = _local?.LocalTimeZone;
        if ((ulong)(entry.Start - minute) >= TimeSpan.TicksPerMinute || !ReferenceEquals(entry.Zone, zone))
        {
            Fill(entry, cache, minute);
            entry.Zone = zone;
        }
        entry.SetSecond(utcTicks);
    }

    /// <summary>Finds the digits of the seconds and of the fraction by comparing two texts of the same minute, so that the format need not be parsed.</summary>
    private void Fill(TimestampCache.Entry entry, TimestampCache cache, long minute)
    {
        Render(cache.Text, minute);
        Render(cache.Sample, minute + SampleTicks);
        var text = cache.Text.WrittenSpan;
        var sample = cache.Sample.WrittenSpan;
        if (text.Length > MaxLength)
        {
            // Escapes made it longer.
            (entry.Start, entry.SecondAt, entry.FractionDigits) = (minute, -1, -1);
            return;
        }
        entry.SetText(text, minute);
        var at = text.CommonPrefixLength(sample);
        entry.SecondAt = text[at..].StartsWith("00"u8) && sample[at..].StartsWith("12"u8) ? at : -1;
        if (entry.SecondAt >= 0)
            at += 2 + text[(at + 2)..].CommonPrefixLength(sample[(at + 2)..]);
        entry.FractionAt = at;
        entry.FractionDigits = CountDigits(text, sample, at);
    }

    private static int CountDigits(ReadOnlySpan<byte> text, ReadOnlySpan<byte> sample, int at)
    {
        if (text.Length != sample.Length)
            return -1;
        var digits = 0;
        while (at + digits < text.Length && digits < 7 && text[at + digits] == '0' && sample[at + digits] == '3' + digits)
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

/// <summary>The text of the current minute in each <see cref="TimestampFormat"/> that one thread uses.</summary>
internal sealed class TimestampCache
{
    // Far more than one thread uses. The search of such a short list is fast. An entry takes about 150 bytes.
    private const int Most = 64;
    private readonly List<Entry> _entries = [];

    // A thread seldom uses a second format.
    private Entry _last = new();
    private int _next;

    /// <summary>Scratch for the text that is to be cached.</summary>
    internal RecordBuffer Text => field ??= new RecordBuffer();

    /// <summary>Scratch for the same with another fraction, to find its digits.</summary>
    internal RecordBuffer Sample => field ??= new RecordBuffer();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal Entry Find(TimestampFormat owner) => ReferenceEquals(_last.Owner, owner) ? _last : FindOther(owner);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Entry FindOther(TimestampFormat owner)
    {
        foreach (var entry in _entries)
        {
            if (ReferenceEquals(entry.Owner, owner))
                return _last = entry;
        }
        return _last = Add(owner);
    }

    private Entry Add(TimestampFormat owner)
    {
        if (_entries.Count < Most)
        {
            _entries.Add(new Entry { Owner = owner });
            return _entries[^1];
        }
        var oldest = _entries[_next];
        _next = (_next + 1) % Most;
        oldest.Owner = owner;
        oldest.Start = Entry.None;
        return oldest;
    }

    internal sealed class Entry
    {
        /// <summary>A start before every time.</summary>
        public const long None = long.MinValue / 2;

        // In the object, so that a record reads two cache lines for its time.
        private TextBlock _text;

        public TimestampFormat? Owner { get; set; }

        /// <summary>The time zone of the text; null: UTC.</summary>
        public TimeZoneInfo? Zone { get; set; }

        /// <summary>The UTC ticks at which the second of the text begins.</summary>
        public long Start { get; set; } = None;

        /// <summary>The UTC ticks at which the millisecond begins whose digits are in the text, where it has just these.</summary>
        public long MillisecondStart { get; private set; }

        /// <summary>The bytes of the text, which is escaped and has zeros for any other fraction.</summary>
        public int Length { get; private set; }

        /// <summary>The offset of the two digits of the seconds; -1 without any that can be replaced.</summary>
        public int SecondAt { get; set; }

        /// <summary>The offset of the fraction's digits.</summary>
        public int FractionAt { get; set; }

        /// <summary>Number of fraction digits; -1 where the text has to be rendered for each record: it is too long, or seconds or fraction cannot be replaced in it.</summary>
        public int FractionDigits { get; set; }

        /// <param name="text">The text at the start of a minute, at most <see cref="TimestampFormat.MaxLength"/> bytes.</param>
        /// <param name="minute">The UTC ticks of that start.</param>
        public void SetText(ReadOnlySpan<byte> text, long minute)
        {
            text.CopyTo(_text);
            Length = text.Length;
            Start = MillisecondStart = minute;
        }

        public void SetSecond(long utcTicks)
        {
            Start = utcTicks - (utcTicks % TimeSpan.TicksPerSecond);
            if (SecondAt >= 0)
                Digits.Fill((ulong)(Start % TimeSpan.TicksPerMinute / TimeSpan.TicksPerSecond), _text[SecondAt..(SecondAt + 2)]);
        }

        public void SetMillisecond(long utcTicks)
        {
            MillisecondStart = utcTicks - (utcTicks % TimeSpan.TicksPerMillisecond);
            Digits.Fill((ulong)((MillisecondStart - Start) / TimeSpan.TicksPerMillisecond), _text[FractionAt..(FractionAt + TimestampFormat.MillisecondDigits)]);
        }

        /// <summary>Copies the text, as one block.</summary>
        /// <param name="destination">At least <see cref="TimestampFormat.MaxLength"/> bytes.</param>
        public void CopyTo(Span<byte> destination)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(destination.Length, TimestampFormat.MaxLength);
            Unsafe.WriteUnaligned(ref MemoryMarshal.GetReference(destination), _text);
        }

        [InlineArray(TimestampFormat.MaxLength)]
        private struct TextBlock
        {
            [SuppressMessage("Roslynator", "RCS1213", Justification = "The element of the inline array.")]
            private byte _first;
        }
    }
}
