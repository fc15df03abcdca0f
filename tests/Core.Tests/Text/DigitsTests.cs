using System.Globalization;
using System.Text;

namespace AsyncLog.Tests.Text;

public sealed class DigitsTests
{
    public static TheoryData<long> Edges
    {
        get
        {
            var edges = new TheoryData<long>(long.MinValue, long.MaxValue, 0, -1);
            for (var power = 10L; ; power *= 10)
            {
                edges.AddRange(power - 1, power, power + 1, -power);
                if (power > long.MaxValue / 10)
                    return edges;
            }
        }
    }

    [Theory]
    [MemberData(nameof(Edges))]
    public void A_number_is_written_as_NET_writes_it(long value) => Check(value);

    [Fact]
    public void Each_pair_of_four_digits_is_right()
    {
        for (var i = 0; i < 10_000; i++)
        {
            Check(i);
            Check((i * 10_000L) + (9_999 - i));
        }
    }

    [Fact]
    public void Decimals_stand_behind_a_point_with_zeros_as_far_as_needed()
    {
        Span<byte> room = stackalloc byte[Digits.MaxBytes];
        foreach (var value in (uint[])[0, 1, 9, 10, 99, 999, 1_000, 123_456, 999_999, 12_345_678, Digits.EightDigits - 1])
        {
            var scale = 1m;
            for (var decimals = 1; decimals <= Digits.MaxFixed; decimals++)
            {
                scale *= 10;
                var length = Digits.WriteFixed(value, decimals, room);
                var expected = (value / scale).ToString("F" + decimals, CultureInfo.InvariantCulture);
                Assert.Equal(expected, Encoding.ASCII.GetString(room[..length]));
            }
        }
    }

    [Fact]
    public void A_fraction_has_no_zeros_at_its_end()
    {
        Span<byte> room = stackalloc byte[Digits.MaxBytes];
        (uint Value, int Decimals, string Text)[] cases = [(5, 1, ".5"), (50, 2, ".5"), (5, 2, ".05"), (1_200_000, 7, ".12"), (1, 8, ".00000001"), (12_345_678, 8, ".12345678"), (10_000_000, 8, ".1")];
        foreach (var (value, decimals, text) in cases)
            Assert.Equal(text, Encoding.ASCII.GetString(room[..Digits.WriteFraction(value, decimals, room)]));
    }

    private static void Check(long value)
    {
        Span<byte> room = stackalloc byte[Digits.MaxBytes];
        var length = Digits.Write(value, room);
        Assert.Equal(value.ToString(CultureInfo.InvariantCulture), Encoding.ASCII.GetString(room[..length]));
        // The negative ones are the largest without a sign.
        var unsigned = unchecked((ulong)value);
        length = Digits.Write(unsigned, room);
        Assert.Equal(unsigned.ToString(CultureInfo.InvariantCulture), Encoding.ASCII.GetString(room[..length]));
    }
}
