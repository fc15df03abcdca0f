using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Writes numbers with few digits as .NET writes them in the invariant culture without a format. Nearly all logged numbers have few digits.</summary>
/// <remarks>
/// <para>The text of a <see cref="double"/> or <see cref="float"/> is the shortest decimal number that reads back as the value. A type with 15 (7) significant digits to
/// spare has at most one such number of that length. So if a whole number of that length, divided by a power of ten, is the value, its digits without the zeros at the
/// end are the text. Both operands are exact, so the quotient is what reading the text gives.</para>
/// <para>.NET has to write all other values, among them those that it writes with an exponent.</para>
/// </remarks>
internal static class PlainNumber
{
    /// <summary>The maximum number of bytes of the text.</summary>
    public const int MaxBytes = 32;

    // Below, .NET writes an exponent.
    private const double MinSize = 1e-4;

    // A double has 15 digits to spare: seven decimals behind up to eight digits, three behind up to twelve.
    private const double MaxDouble = 1e15;
    private const double MaxWithThree = 1e12;
    private const double MaxWithSeven = 1e8;
    private const int SingleDigits = 7;
    private const float MaxSingle = 1e7f;

    private static ReadOnlySpan<uint> Powers => [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

    /// <summary>Writes the text; false if .NET has to do it.</summary>
    /// <param name="destination">False if it is shorter than <see cref="MaxBytes"/>.</param>
    public static bool TryWrite(double value, Span<byte> destination, out int written)
    {
        written = 0;
        var size = Math.Abs(value);
        // Also false for NaN.
        if (!(size < MaxDouble && (size >= MinSize || size == 0)) || destination.Length < MaxBytes)
            return false;
        // In range: without the checks of a cast.
        var whole = double.ConvertToIntegerNative<long>(size);
        var decimals = 0;
        long fraction = 0;
        if (whole != size)
        {
            if (size >= MaxWithThree)
                return false;
            decimals = size < MaxWithSeven ? 7 : 3;
            var power = size < MaxWithSeven ? 1e7 : 1e3;
            var digits = double.ConvertToIntegerNative<long>((size * power) + 0.5);
            if (digits / power != size)
                return false;
            fraction = digits - (whole * (size < MaxWithSeven ? 10_000_000 : 1_000));
        }

        written = Write(double.IsNegative(value), whole, (uint)fraction, decimals, destination);
        return true;
    }

    /// <summary>Writes the text; false if .NET has to do it.</summary>
    /// <param name="destination">False if it is shorter than <see cref="MaxBytes"/>.</param>
    public static bool TryWrite(float value, Span<byte> destination, out int written)
    {
        written = 0;
        var size = MathF.Abs(value);
        // Also false for NaN.
        if (!(size < MaxSingle && (size >= (float)MinSize || size == 0)) || destination.Length < MaxBytes)
            return false;
        var whole = float.ConvertToIntegerNative<long>(size);
        var decimals = 0;
        var fraction = 0u;
        if (whole != size)
        {
            decimals = SingleDigits - Digits.Count((ulong)whole);
            var power = Powers[decimals];
            // Exact: 24 bits multiplied by 24 bits.
            var digits = double.ConvertToIntegerNative<long>(((double)size * power) + 0.5);
            if (digits / (float)power != size)
                return false;
            fraction = (uint)(digits - (whole * power));
        }

        written = Write(float.IsNegative(value), whole, fraction, decimals, destination);
        return true;
    }

    /// <summary>Writes the text; false if .NET has to do it.</summary>
    /// <param name="destination">False if it is shorter than <see cref="MaxBytes"/>.</param>
    public static bool TryWrite(decimal value, Span<byte> destination, out int written)
    {
        written = 0;
        // Not stackalloc, which costs more than the rest.
        var room = default(DecimalParts);
        Span<int> parts = room;
        decimal.GetBits(value, parts);
        if (parts[2] != 0 || destination.Length < MaxBytes)
            return false;
        var digits = ((ulong)(uint)parts[1] << 32) | (uint)parts[0];
        // A negative zero has no sign.
        if (digits != 0 && parts[3] < 0)
            destination[written++] = (byte)'-';
        written += Write(digits, (byte)(parts[3] >> 16), destination[written..]);
        return true;
    }

    private static int Write(bool isNegative, long whole, uint fraction, int decimals, Span<byte> destination)
    {
        var length = 0;
        if (isNegative)
            destination[length++] = (byte)'-';
        length += Digits.Write((ulong)whole, destination[length..]);
        return fraction == 0 ? length : length + Digits.WriteFraction(fraction, decimals, destination[length..]);
    }

    private static int Write(ulong digits, int scale, Span<byte> destination)
    {
        if (scale == 0)
            return Digits.Write(digits, destination);
        if (digits < Digits.EightDigits && scale <= Digits.MaxFixed)
            return Digits.WriteFixed((uint)digits, scale, destination);
        // The digits go behind the place of the point; those of the whole number are moved before it.
        var length = Math.Max(Digits.Count(digits), scale + 1);
        var whole = length - scale;
        Digits.Fill(digits, destination.Slice(1, length));
        destination.Slice(1, whole).CopyTo(destination);
        destination[whole] = (byte)'.';
        return length + 1;
    }

    [InlineArray(4)]
    private struct DecimalParts
    {
        [SuppressMessage("Roslynator", "RCS1213", Justification = "The element of the inline array.")]
        private int _first;
    }
}
