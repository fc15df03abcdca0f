using System.Text;

namespace AsyncLog.Tests.Text;

public sealed class PlainNumberTests
{
    public static TheoryData<double, string?> Doubles { get; } = new()
    {
        { 0, "0" }, { -0.0, "-0" }, { 1, "1" }, { -4711, "-4711" }, { 0.1, "0.1" }, { -123.456, "-123.456" }, { 12.5, "12.5" }, { 1e-4, "0.0001" }, { 99_999_999.9999999, "99999999.9999999" },
        { 999_999_999_999.125, "999999999999.125" }, { 999_999_999_999_999, "999999999999999" }, { 0.0000001, null }, { 0.1 + 0.2, null }, { 1 / 3.0, null }, { 1e15, null }, { 1e300, null },
        { double.Epsilon, null }, { double.NaN, null }, { double.PositiveInfinity, null }, { double.NegativeInfinity, null },
    };

    public static TheoryData<float, string?> Singles { get; } = new()
    {
        { 0, "0" }, { -0f, "-0" }, { 7, "7" }, { 0.1f, "0.1" }, { -12.75f, "-12.75" }, { 1e-4f, "0.0001" }, { 9_999_999, "9999999" }, { 8191.999f, "8191.999" }, { 9.999999f, "9.999999" },
        { 0.1f + 0.2f, "0.3" }, { 1 / 3f, null }, { 9.999e-5f, null }, { 1e7f, null }, { float.Epsilon, null }, { float.NaN, null }, { float.NegativeInfinity, null },
    };

    public static TheoryData<decimal, string?> Decimals { get; } = new()
    {
        { 0, "0" }, { 0.00m, "0.00" }, { -0.0m, "0.0" }, { 1.10m, "1.10" }, { -19.95m, "-19.95" }, { 0.05m, "0.05" }, { 12345678, "12345678" }, { 123_456_789.123m, "123456789.123" },
        { 0.0000000000000000000000000001m, "0.0000000000000000000000000001" }, { -0.0018446744073709551615m, "-0.0018446744073709551615" }, { ulong.MaxValue, "18446744073709551615" },
        { ulong.MaxValue + 1m, null }, { decimal.MaxValue, null }, { decimal.MinValue, null },
    };

    [Theory]
    [MemberData(nameof(Doubles))]
    public void A_double_with_few_digits_needs_no_help_of_NET(double value, string? text)
    {
        Span<byte> room = stackalloc byte[PlainNumber.MaxBytes];
        Assert.Equal(text, PlainNumber.TryWrite(value, room, out var written) ? Encoding.ASCII.GetString(room[..written]) : null);
    }

    [Theory]
    [MemberData(nameof(Singles))]
    public void A_float_with_few_digits_needs_no_help_of_NET(float value, string? text)
    {
        Span<byte> room = stackalloc byte[PlainNumber.MaxBytes];
        Assert.Equal(text, PlainNumber.TryWrite(value, room, out var written) ? Encoding.ASCII.GetString(room[..written]) : null);
    }

    [Theory]
    [MemberData(nameof(Decimals))]
    public void A_decimal_of_64_bits_needs_no_help_of_NET(decimal value, string? text)
    {
        Span<byte> room = stackalloc byte[PlainNumber.MaxBytes];
        Assert.Equal(text, PlainNumber.TryWrite(value, room, out var written) ? Encoding.ASCII.GetString(room[..written]) : null);
    }

    [Fact]
    public void Nothing_is_written_to_a_destination_that_is_too_short()
    {
        Span<byte> room = stackalloc byte[PlainNumber.MaxBytes - 1];
        Assert.False(PlainNumber.TryWrite(1.5, room, out _));
        Assert.False(PlainNumber.TryWrite(1.5f, room, out _));
        Assert.False(PlainNumber.TryWrite(1.5m, room, out _));
        Assert.False(room.ContainsAnyExcept((byte)0));
        Span<byte> enough = stackalloc byte[PlainNumber.MaxBytes];
        Assert.True(PlainNumber.TryWrite(1.5, enough, out var one));
        Assert.True(PlainNumber.TryWrite(1.5f, enough, out var two));
        Assert.True(PlainNumber.TryWrite(1.5m, enough, out var three));
        Assert.Equal((3, 3, 3), (one, two, three));
    }
}
