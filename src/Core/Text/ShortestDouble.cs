namespace AsyncLog;

/// <summary>Formats a <see cref="double"/> as the shortest text that reads back as the same value, if it has few decimals, as most logged values.</summary>
/// <remarks>
/// A decimal fraction of at most 15 significant digits is the only one of that length that reads back as its double. So if a whole number below
/// 10^15, divided by a power of ten (both exact, hence the quotient is what reading the text gives), is the value, its digits without the zeros at
/// the end are the shortest text. The rest is left to .NET, also what .NET writes with an exponent.
/// </remarks>
internal static class ShortestDouble
{
    /// <summary>The most bytes of the text.</summary>
    public const int MostBytes = 32;

    private const int Decimals = 6;
    private const double Scale = 1e6;
    private const double Smallest = 1e-4;
    private const double LargestScaled = 1e15;

    /// <summary>Writes the text; false where .NET has to do it.</summary>
    /// <param name="value">The value.</param>
    /// <param name="destination"><see cref="MostBytes"/> at least.</param>
    /// <param name="written">The length of the text.</param>
    public static bool TryWrite(double value, Span<byte> destination, out int written)
    {
        written = 0;
        var size = Math.Abs(value);
        var scaled = size * Scale;
        // Also false for NaN and zero.
        if (!(size >= Smallest && scaled < LargestScaled) || destination.Length < MostBytes)
            return false;
        // In range, so that the machine's own conversion is right.
        var digits = double.ConvertToIntegerNative<long>(scaled + 0.5);
        if (digits / Scale != size)
            return false;
        if (value < 0)
            destination[written++] = (byte)'-';
        written += Write((ulong)digits, destination[written..]);
        return true;
    }

    private static int Write(ulong digits, Span<byte> destination)
    {
        var whole = digits / (ulong)Scale;
        var fraction = (uint)(digits - (whole * (ulong)Scale));
        var length = Digits.Write((long)whole, destination);
        if (fraction == 0)
            return length;
        var decimals = Decimals;
        for (; fraction % 10 == 0; fraction /= 10)
            decimals--;
        destination[length] = (byte)'.';
        Digits.Fill(fraction, destination.Slice(length + 1, decimals));
        return length + 1 + decimals;
    }
}
