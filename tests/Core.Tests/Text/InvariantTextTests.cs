using System.Globalization;
using System.Text;
using AsyncLog.Tests.Formatting;

namespace AsyncLog.Tests.Text;

/// <summary>Each test compares with the text of .NET. A release run has ten million random values of each type.</summary>
public sealed class InvariantTextTests
{
    private const string RoundTrip = "O";

    private static readonly int Values = ReleaseRun.Count(usual: 200_000, release: 10_000_000);

    private readonly Random _random = new(20261126);
    private readonly byte[] _ours = new byte[64];
    private readonly byte[] _theirs = new byte[64];

    [Fact]
    public void Values_at_the_edges_of_each_type_have_the_text_of_NET_in_every_culture() => Cultures.InEach(() =>
    {
        CheckAll(
            null, 0, -0.0, 1, -1, 0.1, 0.1 + 0.2, 1 / 3.0, 1e-4, 9.9999999e-5, 1e-5, 1e-7, 0.0001234567, 0.00012345678, 1e6, 1e14, 1e15, 1e16, 1e17, 123_456_789_012_345, 999_999_999_999_999, 9_999_999_999_999_998,
            99_999_999.99999999, 9_007_199_254_740_993, 4_503_599_627_370_496.5, 0.9999999, 0.99999999, 9.9999995, 5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, double.MinValue, double.MaxValue, double.NaN,
            double.PositiveInfinity, double.NegativeInfinity);
        CheckAll(
            null, 0f, -0f, 1, 0.1f, 0.1f + 0.2f, 1 / 3f, 1e-4f, 9.999999e-5f, 1e-5f, 1e6f, 1e7f, 1e8f, 1e9f, 9_999_999, 16_777_216, 16_777_217, 8192.001f, 0.99999994f, 1.4e-45f, 1.1754944e-38f, float.MinValue, float.MaxValue,
            float.NaN, float.PositiveInfinity, float.NegativeInfinity);
        CheckAll(
            null, 0m, 0.0m, -0m, -0.0m, -0.00000m, 1m, 1.0m, 1.10m, -1.1000m, 0.1m, 0.01m, 100m, 99999999m, 100000000m, 0.99999999m, 12345678.9m, ulong.MaxValue, ulong.MaxValue + 1m, new decimal(-1, -1, 0, true, 28),
            new decimal(-1, -1, 0, false, 20), new decimal(1, 0, 0, false, 28), new decimal(0, 0, 0, true, 28), new decimal(-1, -1, -1, false, 28), decimal.MinValue, decimal.MaxValue);
        foreach (var format in (string?[])[null, RoundTrip])
        {
            CheckAll(
                format, DateTime.MinValue, DateTime.MaxValue, DateTime.UnixEpoch, new DateTime(2024, 2, 29, 23, 59, 59, DateTimeKind.Local), new DateTime(2026, 11, 26, 0, 0, 0, DateTimeKind.Unspecified),
                DateTime.SpecifyKind(DateTime.MinValue, DateTimeKind.Utc), DateTime.SpecifyKind(DateTime.MaxValue, DateTimeKind.Local), new DateTime(638_000_000_000_000_001, DateTimeKind.Utc));
            CheckAll(
                format, DateTimeOffset.MinValue, DateTimeOffset.MaxValue, DateTimeOffset.UnixEpoch, new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(-14)), new DateTimeOffset(2026, 1, 2, 3, 4, 5, new TimeSpan(5, 45, 0)));
            CheckAll(format, DateOnly.MinValue, DateOnly.MaxValue, new DateOnly(2024, 2, 29), new DateOnly(2026, 11, 26), new DateOnly(101, 10, 1));
            CheckAll(format, TimeOnly.MinValue, TimeOnly.MaxValue, new TimeOnly(9, 5), new TimeOnly(23, 59, 59, 999));
        }

        foreach (var format in (string?[])[null, "c"])
            CheckAll(format, TimeSpan.Zero, TimeSpan.MinValue, TimeSpan.MaxValue, TimeSpan.FromTicks(-1), TimeSpan.FromDays(1.5), TimeSpan.FromMilliseconds(12.5));
        CheckAll(null, Guid.Empty, Guid.AllBitsSet, Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"));
        CheckAll(null, Half.MinValue, Half.Epsilon, Half.NaN, Half.NegativeZero, (Half)1.5);
    });

    [Fact]
    public void Random_doubles_have_the_text_of_NET() => CheckRandom(null, NextDouble);

    [Fact]
    public void Random_floats_have_the_text_of_NET() => CheckRandom(null, NextSingle);

    [Fact]
    public void Random_decimals_have_the_text_of_NET() => CheckRandom(null, NextDecimal);

    [Theory]
    [InlineData(null)]
    [InlineData(RoundTrip)]
    public void Random_dates_with_times_have_the_text_of_NET(string? format)
    {
        CheckRandom(format, i => new DateTime(_random.NextInt64(DateTime.MaxValue.Ticks + 1), (DateTimeKind)(i % 3)));
        CheckRandom(format, i => new DateTimeOffset(_random.NextInt64(TimeSpan.TicksPerDay, DateTime.MaxValue.Ticks - TimeSpan.TicksPerDay), TimeSpan.FromMinutes(_random.Next(-840, 841))));
    }

    [Theory]
    [InlineData(null)]
    [InlineData(RoundTrip)]
    public void Random_dates_and_times_have_the_text_of_NET(string? format)
    {
        CheckRandom(format, _ => DateOnly.FromDayNumber(_random.Next(DateOnly.MaxValue.DayNumber + 1)));
        CheckRandom(format, _ => new TimeOnly(_random.NextInt64(TimeSpan.TicksPerDay)));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("c")]
    public void Random_durations_have_the_text_of_NET(string? format) => CheckRandom(format, _ => new TimeSpan(NextBits() >> _random.Next(64)));

    [Fact]
    public void Random_ids_have_the_text_of_NET() => CheckRandom(null, _ => new Guid(_random.Next(), (short)_random.Next(), (short)_random.Next(), BitConverter.GetBytes(NextBits())));

    private long NextBits() => _random.NextInt64(long.MinValue, long.MaxValue);

    private double NextDouble(int i) => (i % 8) switch
    {
        0 => _random.NextDouble(),
        1 => _random.Next(-10_000_000, 10_000_000) / 1000.0,
        2 => _random.NextInt64(-1_000_000_000_000_000, 1_000_000_000_000_000) / Math.Pow(10, _random.Next(20)),
        // Beside a number with few decimals.
        3 => BitConverter.Int64BitsToDouble(BitConverter.DoubleToInt64Bits(_random.Next() / Math.Pow(10, _random.Next(10))) + _random.Next(-2, 3)),
        // Beside a power of ten, where the digits before the point change.
        4 => Math.Pow(10, _random.Next(-6, 18)) + (_random.Next(-20, 21) * Math.Pow(10, _random.Next(-9, 2))),
        5 => _random.NextInt64(-10_000_000_000_000_000, 10_000_000_000_000_000),
        6 => (_random.NextDouble() - 0.5) * Math.Pow(10, _random.Next(-8, 17)),
        _ => BitConverter.Int64BitsToDouble(NextBits()),
    };

    private float NextSingle(int i) => (i % 6) switch
    {
        0 => _random.NextSingle(),
        1 => _random.Next(-10_000_000, 10_000_000) / MathF.Pow(10, _random.Next(11)),
        2 => BitConverter.Int32BitsToSingle(BitConverter.SingleToInt32Bits(_random.Next(10_000_000) / MathF.Pow(10, _random.Next(8))) + _random.Next(-2, 3)),
        3 => _random.Next(-20_000_000, 20_000_000),
        4 => (_random.NextSingle() - 0.5f) * MathF.Pow(10, _random.Next(-5, 9)),
        _ => BitConverter.Int32BitsToSingle((int)NextBits()),
    };

    private decimal NextDecimal(int i) => (i % 4) switch
    {
        0 => new decimal(_random.Next(), 0, 0, _random.Next(2) == 0, (byte)_random.Next(10)),
        1 => new decimal((int)NextBits(), (int)(NextBits() >> _random.Next(64)), 0, _random.Next(2) == 0, (byte)_random.Next(29)),
        2 => new decimal(_random.Next(1 << _random.Next(31)), 0, 0, _random.Next(2) == 0, (byte)_random.Next(29)),
        _ => new decimal((int)NextBits(), (int)NextBits(), (int)NextBits(), _random.Next(2) == 0, (byte)_random.Next(29)),
    };

    private void CheckRandom<T>(string? format, Func<int, T> next)
        where T : IUtf8SpanFormattable
    {
        for (var i = 0; i < Values; i++)
            Check(next(i), format);
    }

    private void CheckAll<T>(string? format, params T[] values)
        where T : IUtf8SpanFormattable
        => Array.ForEach(values, value => Check(value, format));

    private void Check<T>(T value, string? format)
        where T : IUtf8SpanFormattable
    {
        Assert.True(value.TryFormat(_theirs, out var expected, format, CultureInfo.InvariantCulture));
        Assert.True(InvariantText.TryWrite(value, format, _ours, out var written));
        if (!_ours.AsSpan(0, written).SequenceEqual(_theirs.AsSpan(0, expected)))
            Assert.Fail($"{typeof(T).Name} in the format '{format}': {Encoding.ASCII.GetString(_ours, 0, written)} instead of {Encoding.ASCII.GetString(_theirs, 0, expected)}");
    }
}
