namespace AsyncLog;

/// <summary>Formats a <see cref="double"/> with a fixed number of decimals where the result is provably equal to .NET's.</summary>
internal static class FixedPoint
{
    private const int MostDigits = 6;
    // Below, every integer and every half is exact, and the fraction of the scaled value can be taken without an error.
    private const double LargestScaled = 1L << 51;
    // Sign, 16 digits, point and decimals.
    private const int MostBytes = 32;

    // A double's last place is never worth more than this share of it.
    private const double LargestUnit = 1.0 / (1L << 52);

    private static ReadOnlySpan<double> Powers => [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

    /// <summary>Gets the decimals of <c>F0</c> to <c>F6</c>; -1 for any other format.</summary>
    public static int DigitsOf(string? format)
        => format is ['F' or 'f', >= '0' and <= (char)('0' + MostDigits)] ? format[1] - '0' : -1;

    /// <summary>Formats the value; false where .NET has to do it.</summary>
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
        if (Math.Abs(fraction - 0.5) <= scaled * LargestUnit)
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
