using System.Globalization;

namespace AsyncLog;

/// <summary>Sizes: bytes, or a number with a unit; 1 KB is 1,024 bytes.</summary>
internal static class SizeText
{
    private const string Rule = "expected a size such as 4096, 64KB or 1.5GB";

    private static readonly string[] Units = ["B", "KB", "MB", "GB", "TB"];

    public static ParseResult<long> Parse(string text)
    {
        if (text.StartsWith('-'))
        {
            return ParseResult<long>.Invalid("must not be negative");
        }

        int digits = text.AsSpan().IndexOfAnyExcept("0123456789.");
        ReadOnlySpan<char> number = digits < 0 ? text : text.AsSpan(0, digits);
        ReadOnlySpan<char> unit = digits < 0 ? default : text.AsSpan(digits);
        if (number.IsEmpty || !HasNumberForm(number, wholeOnly: unit.IsEmpty))
        {
            return ParseResult<long>.Invalid(Rule);
        }

        if (unit.StartsWith(" "))
        {
            unit = unit[1..];
        }

        int power = digits < 0 ? 0 : UnitPower(unit);
        return power < 0 ? ParseResult<long>.Invalid("unknown unit: expected B, KB, MB, GB or TB") : Multiply(number, power);
    }

    public static string Show(long bytes)
    {
        int power = 0;
        while (bytes != 0 && bytes % 1024 == 0 && power < Units.Length - 1)
        {
            bytes /= 1024;
            power++;
        }

        return bytes.ToString(CultureInfo.InvariantCulture) + Units[power];
    }

    private static bool HasNumberForm(ReadOnlySpan<char> number, bool wholeOnly)
    {
        int point = number.IndexOf('.');
        if (point < 0)
        {
            return true;
        }

        int decimals = number.Length - point - 1;
        return !wholeOnly && point > 0 && decimals is 1 or 2 && number[(point + 1)..].IndexOf('.') < 0;
    }

    private static int UnitPower(ReadOnlySpan<char> unit)
    {
        for (int power = 0; power < Units.Length; power++)
        {
            string name = Units[power];
            bool binary = power > 0 && unit.Length == 3 && unit[1] is 'i' or 'I'
                && char.ToUpperInvariant(unit[0]) == name[0] && unit[2] is 'B' or 'b';
            if (binary || unit.Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return power;
            }
        }

        return -1;
    }

    private static ParseResult<long> Multiply(ReadOnlySpan<char> number, int power)
    {
        if (!decimal.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal value)
            || value > long.MaxValue / (decimal)(1L << (10 * power)))
        {
            return ParseResult<long>.Invalid("is too large");
        }

        decimal bytes = value * (1L << (10 * power));
        return power == 0 && decimal.Truncate(bytes) != bytes
            ? ParseResult<long>.Invalid("bytes have no decimals")
            : new ParseResult<long>((long)decimal.Truncate(bytes));
    }
}
