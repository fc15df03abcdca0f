using System.Globalization;
using System.Text;
using AsyncLog.Tests.Formatting;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncLog.Tests.Text;

public sealed class ShortestDoubleTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(-0.0)]
    [InlineData(0.1)]
    [InlineData(0.1 + 0.2)]
    [InlineData(0.0001)]
    [InlineData(0.00009999)]
    [InlineData(0.000001)]
    [InlineData(123.456)]
    [InlineData(-999.999)]
    [InlineData(999999999.999999)]
    [InlineData(1e9)]
    [InlineData(1e15)]
    [InlineData(1e16)]
    [InlineData(4503599627370496.5)]
    [InlineData(0.9999995)]
    [InlineData(0.99999999999)]
    [InlineData(5e-324)]
    [InlineData(double.MaxValue)]
    [InlineData(double.NaN)]
    [InlineData(double.NegativeInfinity)]
    public void The_text_is_that_of_the_framework(double value) => Check(value);

    [Fact]
    public void The_text_is_that_of_the_framework_for_any_value()
    {
        var decimals = from digits in Gen.Choose(-2_000_000_000, 2_000_000_000)
                       from scale in Gen.Choose(0, 12)
                       select digits / Math.Pow(10, scale);
        var near = from value in decimals
                   from step in Gen.Choose(-2, 2)
                   select BitConverter.Int64BitsToDouble(BitConverter.DoubleToInt64Bits(value) + step);
        var any = ArbMap.Default.GeneratorFor<ulong>().Select(static bits => BitConverter.UInt64BitsToDouble(bits));
        Prop.ForAll(Arb.From(Gen.OneOf(decimals, near, any)), static value => Check(value)).Check(Config.QuickThrowOnFailure.WithMaxTest(20_000));
    }

    [Fact]
    public void Few_decimals_need_no_help()
    {
        Span<byte> room = stackalloc byte[ShortestDouble.MaxBytes];
        Assert.True(ShortestDouble.TryWrite(-123.456, room, out var written));
        Assert.Equal("-123.456", Encoding.ASCII.GetString(room[..written]));
        Assert.False(ShortestDouble.TryWrite(0.1 + 0.2, room, out _));
    }

    private static void Check(double value)
        => Assert.Equal(value.ToString(CultureInfo.InvariantCulture), Raw.Text((ref Utf8Writer writer) => writer.WriteNumber(value)));
}
