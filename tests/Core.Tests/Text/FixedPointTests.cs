using System.Globalization;
using System.Text;

namespace AsyncLog.Tests.Text;

public sealed class FixedPointTests
{
    private const int Values = 2_000_000;
    private const int MaxDigits = 6;
    private readonly byte[] _ours = new byte[64];
    private readonly byte[] _theirs = new byte[512];

    [Fact]
    public void Millions_of_random_values_are_rendered_as_NET_does()
    {
        var random = new Random(20261120);
        var accepted = 0;
        for (var i = 0; i < Values; i++)
            accepted += Check(NextValue(random, i), random.Next(MaxDigits + 1));
        Assert.True(accepted > Values / 2, $"Only {accepted} of {Values} took the fast path.");
    }

    [Fact]
    public void Values_beside_ties_are_rendered_as_NET_does_and_ties_are_left_to_it()
    {
        // So far from a tie, in units of its last place, a value is never left to .NET.
        const int Far = 8;
        var (ties, far, accepted) = (0, 0, 0);
        for (var digits = 0; digits <= MaxDigits; digits++)
        {
            for (var tie = 0.5; tie < 4e6; tie += 997)
            {
                var bits = BitConverter.DoubleToInt64Bits(tie / Math.Pow(10, digits));
                for (var places = -Far; places <= Far; places++)
                {
                    var near = BitConverter.Int64BitsToDouble(bits + places);
                    var count = Check(near, digits);
                    Assert.Equal(count, Check(-near, digits));
                    if (places == 0)
                        ties += count;
                    else if (Math.Abs(places) == Far)
                        (far, accepted) = (far + 1, accepted + count);
                }
            }
        }

        Assert.Equal((0, far), (ties, accepted));
    }

    [Theory]
    [InlineData(0.0, 7)]
    [InlineData(-0.0, 7)]
    [InlineData(-0.0001, 7)]
    [InlineData(0.9999999, 7)]
    [InlineData(-0.5, 6)]
    [InlineData(2251799813685247.5, 0)]
    [InlineData(2251799813685249.0, 0)]
    [InlineData(1e22, 0)]
    [InlineData(double.Epsilon, 7)]
    [InlineData(double.MaxValue, 0)]
    [InlineData(double.NaN, 0)]
    [InlineData(double.NegativeInfinity, 0)]
    public void Extreme_values_are_rendered_as_NET_does_or_left_to_it(double value, int rendered)
        => Assert.Equal(rendered, Enumerable.Range(0, MaxDigits + 1).Sum(digits => Check(value, digits)));

    [Fact]
    public void Only_F0_to_F6_are_known()
    {
        for (var digits = 0; digits <= 6; digits++)
        {
            Assert.Equal(digits, FixedPoint.DigitsOf("F" + digits));
            Assert.Equal(digits, FixedPoint.DigitsOf("f" + digits));
        }

        foreach (var format in (string?[])[null, "", "F", "F7", "f7", "F10", "F02", "F/", "F:", "E2", "G3", "N2", "0.00", "2F"])
            Assert.Equal(-1, FixedPoint.DigitsOf(format));
    }

    private static double NextValue(Random random, int i) => (i % 5) switch
    {
        0 => random.NextDouble(),
        1 => (random.NextDouble() - 0.5) * Math.Pow(10, random.Next(-8, 16)),
        2 => random.Next(-10_000_000, 10_000_000) / 1000.0,
        // Decimal ties that binary can and cannot express.
        3 => (random.Next(-2_000_000, 2_000_000) + 0.5) / Math.Pow(10, random.Next(7)),
        _ => BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue)),
    };

    private int Check(double value, int digits)
    {
        if (!FixedPoint.TryFormat(value, digits, _ours, out var length))
            return 0;
        value.TryFormat(_theirs, out var expected, ['F', (char)('0' + digits)], CultureInfo.InvariantCulture);
        if (!_ours.AsSpan(0, length).SequenceEqual(_theirs.AsSpan(0, expected)))
            Assert.Fail($"{value:R} with F{digits}: {Encoding.ASCII.GetString(_ours, 0, length)}");
        return 1;
    }
}
