using System.Buffers.Binary;
using System.Numerics;

namespace AsyncLog;

/// <summary>Decimal digits of integers, two at a time.</summary>
internal static class Digits
{
    /// <summary>The most bytes of one number, sign included.</summary>
    public const int MostBytes = 20;

    /// <summary>The first number that has nine digits.</summary>
    public const uint EightDigits = 100_000_000;

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
    /// <param name="value">The number.</param>
    /// <param name="destination">At least <see cref="MostBytes"/> long.</param>
    /// <returns>Bytes written.</returns>
    public static int Write(long value, Span<byte> destination)
    {
        if (value >= 0)
            return Write((ulong)value, destination);
        destination[0] = (byte)'-';
        return 1 + Write(0UL - (ulong)value, destination[1..]);
    }

    /// <summary>Fills the destination with a number's last digits, with zeros in front.</summary>
    public static void Fill(ulong value, Span<byte> destination)
    {
        var pairs = Pairs;
        var at = destination.Length;
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
    /// <param name="decimals">Digits after the point, 1 to 6; zeros are written in front as far as they are needed.</param>
    /// <param name="destination">At least <see cref="MostBytes"/> long.</param>
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

    private static int Write(ulong value, Span<byte> destination)
    {
        var length = Count(value);
        if (value < EightDigits && destination.Length >= sizeof(ulong))
            BinaryPrimitives.WriteUInt64LittleEndian(destination, Ascii((uint)value) >> (64 - (8 * length)));
        else
            Fill(value, destination[..length]);
        return length;
    }

    // Eight digits at once, the first in the lowest byte: halves, then pairs, then digits, each divided by a multiplication.
    private static ulong Ascii(uint value)
    {
        var high = value / 10_000;
        var halves = high | ((ulong)(value - (high * 10_000)) << 32);
        var hundreds = ((halves * 10_486) >> 20) & 0x7F_0000_007F;
        var pairs = hundreds | ((halves - (hundreds * 100)) << 16);
        var tens = ((pairs * 103) >> 10) & 0x000F_000F_000F_000F;
        return (tens | ((pairs - (tens * 10)) << 8)) | 0x3030_3030_3030_3030;
    }
}
