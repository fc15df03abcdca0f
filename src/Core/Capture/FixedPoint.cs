using System.Buffers.Text;

namespace AsyncLog;

/// <summary>Renders a <see cref="double"/> with a fixed number of decimals where the result is provably .NET's own.</summary>
internal static class FixedPoint
{
    private const int MostDigits = 6;
    // Below, every integer and every half is exact, and the fraction of the scaled value can be taken without an error.
    private const double LargestScaled = 1L << 51;
    // At least one unit in the last place, relative to the value.
    private const double Unit = 1.0 / (1L << 52);
    // Sign, 16 digits, point and decimals.
    private const int MostBytes = 32;

    private static ReadOnlySpan<double> Powers => [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
    private static ReadOnlySpan<long> WholePowers => [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

    /// <summary>The decimals of <c>F0</c> to <c>F6</c>; -1 for any other format.</summary>
    public static int DigitsOf(string? format)
        => format is ['F' or 'f', >= '0' and <= (char)('0' + MostDigits)] ? format[1] - '0' : -1;

    /// <summary>Renders the value, or says that .NET has to do it.</summary>
    /// <remarks>
    /// The scaled value differs from the true product by at most half a unit in its last place. Rounding to the nearest integer is
    /// therefore right unless the fraction lies within one such unit of one half; those values, and large ones, are left to .NET.
    /// </remarks>
    public static bool TryFormat(double value, int digits, Span<byte> destination, out int written)
    {
        written = 0;
        var scaled = Math.Abs(value) * Powers[digits];
        // Also false for NaN.
        if (!(scaled < LargestScaled) || destination.Length < MostBytes)
            return false;
        var whole = (long)scaled;
        var fraction = scaled - whole;
        if (Math.Abs(fraction - 0.5) <= scaled * Unit)
            return false;
        if (fraction > 0.5)
            whole++;
        if (double.IsNegative(value))
            destination[written++] = (byte)'-';
        written += Write(whole, digits, destination[written..]);
        return true;
    }

    // All digits at once, then the decimals make room for the point.
    private static int Write(long scaled, int digits, Span<byte> destination)
    {
        // At least one digit stands before the point.
        var zeros = 0;
        for (; zeros < digits && scaled < WholePowers[digits - zeros]; zeros++)
            destination[zeros] = (byte)'0';
        Utf8Formatter.TryFormat(scaled, destination[zeros..], out var written);
        written += zeros;
        if (digits == 0)
            return written;
        for (var i = written; i > written - digits; i--)
            destination[i] = destination[i - 1];
        destination[written - digits] = (byte)'.';
        return written + 1;
    }
}
