using System.Buffers.Binary;
using System.Numerics;

namespace AsyncLog;

/// <summary>Decimal digits of integers, two at a time.</summary>
internal static class Digits
{
    /// <summary>The maximum number of bytes of one number, including the sign.</summary>
    public const int MaxBytes = 20;

    /// <summary>The most decimals of <see cref="WriteFixed"/>.</summary>
    public const int MaxFixed = 7;

    /// <summary>The first number that has nine digits.</summary>
    public const uint EightDigits = 100_000_000;

    // Eight times the digit 0.
    private const ulong Zeros = 0x3030_3030_3030_3030;

    private static ReadOnlySpan<byte> Pairs =>
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"u8;

    private static ReadOnlySpan<ulong> Powers =>
    [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000, 100_000_000_000, 1_000_000_000_000,
        10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
        10_000_000_000_000_000_000,
    ];

    /// <summary>Counts the digits of a number; 1 for zero.</summary>
    public static int Count(ulong value)
    {
        // log10(2) is about 1233/4096, exact enough for 64 bits; the table corrects it where it is one too many.
        var guess = ((64 - BitOperations.LeadingZeroCount(value | 1)) * 1233) >> 12;
        return guess + (value >= Powers[guess] ? 1 : 0) + (value == 0 ? 1 : 0);
    }

    /// <summary>Writes a number.</summary>
    /// <param name="destination">At least <see cref="MaxBytes"/> long.</param>
    /// <returns>Bytes written.</returns>
    public static int Write(long value, Span<byte> destination)
    {
        if (value >= 0)
            return Write((ulong)value, destination);
        destination[0] = (byte)'-';
        return 1 + Write(0UL - (ulong)value, destination[1..]);
    }

    /// <summary>Writes a number.</summary>
    /// <param name="destination">At least <see cref="MaxBytes"/> long.</param>
    /// <returns>Bytes written.</returns>
    public static int Write(ulong value, Span<byte> destination)
    {
        var length = Count(value);
        if (value < EightDigits && destination.Length >= sizeof(ulong))
            BinaryPrimitives.WriteUInt64LittleEndian(destination, Ascii((uint)value) >> (64 - (8 * length)));
        else
            Fill(value, destination[..length]);
        return length;
    }

    /// <summary>Fills the destination with a number's last digits, with zeros in front.</summary>
    public static void Fill(ulong value, Span<byte> destination)
    {
        var pairs = Pairs;
        var at = destination.Length;
        while (at >= sizeof(ulong))
        {
            var rest = value / EightDigits;
            at -= sizeof(ulong);
            BinaryPrimitives.WriteUInt64LittleEndian(destination[at..], Ascii((uint)(value - (rest * EightDigits))));
            value = rest;
        }

        while (at >= 2)
        {
            var rest = value / 100;
            var pair = (int)(value - (rest * 100)) * 2;
            destination[at - 1] = pairs[pair + 1];
            destination[at - 2] = pairs[pair];
            value = rest;
            at -= 2;
        }

        if (at > 0)
            destination[0] = (byte)('0' + (value % 10));
    }

    /// <summary>Writes a number of up to eight digits with a point before the last ones.</summary>
    /// <param name="value">The number without its point, below <see cref="EightDigits"/>.</param>
    /// <param name="decimals">Digits after the point, 1 to <see cref="MaxFixed"/>; zeros are written in front as far as they are needed.</param>
    /// <param name="destination">At least <see cref="MaxBytes"/> long.</param>
    /// <returns>Bytes written.</returns>
    public static int WriteFixed(uint value, int decimals, Span<byte> destination)
    {
        var length = Math.Max(Count(value), decimals + 1);
        var ascii = Ascii(value);
        var whole = length - decimals;
        // Each store writes eight bytes; the next one overwrites the surplus.
        BinaryPrimitives.WriteUInt64LittleEndian(destination, ascii >> (64 - (8 * length)));
        destination[whole] = (byte)'.';
        BinaryPrimitives.WriteUInt64LittleEndian(destination[(whole + 1)..], ascii >> (64 - (8 * decimals)));
        return length + 1;
    }

    /// <summary>Writes a point and the decimals after it, without the zeros at the end.</summary>
    /// <param name="value">The decimals as a number, above zero.</param>
    /// <param name="decimals">The places of the number after the point, 1 to 8.</param>
    /// <param name="destination">At least nine bytes long.</param>
    /// <returns>Bytes written.</returns>
    public static int WriteFraction(uint value, int decimals, Span<byte> destination)
    {
        var ascii = Ascii(value);
        var zeros = BitOperations.LeadingZeroCount(ascii ^ Zeros) / 8;
        destination[0] = (byte)'.';
        // The surplus is overwritten, or lies after the end.
        BinaryPrimitives.WriteUInt64LittleEndian(destination[1..], ascii >> (64 - (8 * decimals)));
        return 1 + decimals - zeros;
    }

    // Eight digits at once, the first in the lowest byte: halves, then pairs, then digits, each divided by a multiplication.
    private static ulong Ascii(uint value)
    {
        var high = value / 10_000;
        var halves = high | ((ulong)(value - (high * 10_000)) << 32);
        var hundreds = ((halves * 10_486) >> 20) & 0x7F_0000_007F;
        var pairs = hundreds | ((halves - (hundreds * 100)) << 16);
        var tens = ((pairs * 103) >> 10) & 0x000F_000F_000F_000F;
        return (tens | ((pairs - (tens * 10)) << 8)) | Zeros;
    }
}

/// <summary>Formats a <see cref="double"/> with a fixed number of decimals where the result is provably equal to .NET's.</summary>
internal static class FixedPoint
{
    private const int MaxDigits = 6;
    // Below, every integer and every half is exact, and the fraction of the scaled value can be taken without an error.
    private const double MaxScaled = 1L << 51;
    // Sign, 16 digits, point and decimals.
    private const int MaxBytes = 32;

    // A double's last place is never worth more than this share of it.
    private const double MaxUnit = 1.0 / (1L << 52);

    private static ReadOnlySpan<double> Powers => [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

    /// <summary>Gets the decimals of <c>F0</c> to <c>F6</c>; -1 for any other format.</summary>
    public static int DigitsOf(string? format)
        => format is ['F' or 'f', >= '0' and <= (char)('0' + MaxDigits)] ? format[1] - '0' : -1;

    /// <summary>Formats the value; false if .NET has to do it.</summary>
    /// <remarks>
    /// The scaled value differs from the true product by at most half a unit in its last place. Rounding to the nearest integer is
    /// therefore right unless the fraction lies within one such unit of one half. .NET formats those values and large ones.
    /// </remarks>
    public static bool TryFormat(double value, int digits, Span<byte> destination, out int written)
    {
        written = 0;
        var scaled = Math.Abs(value) * Powers[digits];
        // Also false for NaN.
        if (!(scaled < MaxScaled) || destination.Length < MaxBytes)
            return false;
        // In range: without the checks of a cast.
        var whole = double.ConvertToIntegerNative<long>(scaled);
        var fraction = scaled - whole;
        if (Math.Abs(fraction - 0.5) <= scaled * MaxUnit)
            return false;
        if (fraction > 0.5)
            whole++;
        if (double.IsNegative(value))
            destination[written++] = (byte)'-';
        written += Write((ulong)whole, digits, destination[written..]);
        return true;
    }

    private static int Write(ulong scaled, int digits, Span<byte> destination)
    {
        if (digits == 0)
            return Digits.Write((long)scaled, destination);
        if (scaled < Digits.EightDigits)
            return Digits.WriteFixed((uint)scaled, digits, destination);
        // By constants, which become multiplications.
        var whole = digits switch
        {
            1 => scaled / 10,
            2 => scaled / 100,
            3 => scaled / 1_000,
            4 => scaled / 10_000,
            5 => scaled / 100_000,
            _ => scaled / 1_000_000,
        };
        var length = Digits.Write((long)whole, destination);
        destination[length++] = (byte)'.';
        Digits.Fill(scaled, destination.Slice(length, digits));
        return length + digits;
    }
}
