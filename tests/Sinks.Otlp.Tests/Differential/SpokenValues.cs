using System.Globalization;
using System.Numerics;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Differential;

/// <summary>Values of all types that one has to expect.</summary>
internal static class SpokenValues
{
    public static IReadOnlyList<object?> Scalars { get; } =
    [
        (sbyte)-3, (byte)200, short.MinValue, ushort.MaxValue, int.MinValue, uint.MaxValue, long.MinValue, long.MaxValue, 5UL, ulong.MaxValue,
        1.5f, 0.1f, 0.1, -0.0, 1e300, double.NaN, double.PositiveInfinity, (Half)1.5, 12.50m, Int128.MaxValue, UInt128.MaxValue, BigInteger.Pow(10, 30),
        'x', true, false, "text", "", "unpaired \uD83D", DayOfWeek.Monday, null,
    ];

    public static IReadOnlyList<object?> Times { get; } =
    [
        new DateTime(2026, 1, 2, 3, 4, 5, 678, DateTimeKind.Utc), new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(5)), new DateOnly(2026, 1, 2),
        new TimeOnly(3, 4, 5), TimeSpan.FromSeconds(90061.5),
    ];

    public static IReadOnlyList<object?> Collections { get; } =
    [
        new[] { 1, 2, 3 }, new[] { "a", "b", null }, new[] { 0.5, 1.5 }, new[] { true, false }, new object?[] { 1, "two", 3.5, null }, new List<int> { 4, 5 }, new byte[] { 0, 255 },
        new ReadOnlyMemory<byte>([7, 8]), new Dictionary<string, object?>(StringComparer.Ordinal) { ["a"] = 1, ["b"] = "two" }, new Dictionary<string, string>(StringComparer.Ordinal) { ["k"] = "v" },
        new Dictionary<int, string> { [7] = "seven" }, new List<object?> { new[] { 1, 2 }, new Dictionary<string, object?>(StringComparer.Ordinal) { ["in"] = 1 } }, Array.Empty<int>(),
    ];

    public static IReadOnlyList<object?> Objects { get; } =
    [
        Id(1), new Uri("https://shop.example/%7Ea?q=1"), new Version(1, 2, 3), new { Name = "Ada", Age = 36 }, new Money(12.5m), typeof(string), CultureInfo.InvariantCulture, new object(),
    ];

    public static Guid Id(int number) => new(number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);

    /// <summary>Logs one of the values.</summary>
    public static void Say(ILogger logger, IReadOnlyList<object?> values, int number) => logger.LogInformation("Value {Value}", values[number % values.Count]);

    /// <summary>An exception with a stack trace.</summary>
    public static InvalidOperationException Thrown(int number)
    {
        try
        {
            throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"no {number}"), new ArgumentException("inner", nameof(number)));
        }
        catch (InvalidOperationException exception)
        {
            return exception;
        }
    }

    private sealed record Money(decimal Amount);
}
