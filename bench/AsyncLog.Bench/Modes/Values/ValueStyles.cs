using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>Calls with an order number and one value, for each type of value. The values change from call to call.</summary>
internal static class ValueStyles
{
    private const int Count = 1_024;
    private static readonly DateTime Start = new(2026, 11, 20, 13, 0, 17, DateTimeKind.Utc);
    private static readonly TimeSpan Offset = TimeSpan.FromHours(1);

    /// <summary>The first is the one that the others are compared with.</summary>
    public static IReadOnlyList<CallStyle> All { get; } =
    [
        Of("int", static n => n),
        Of("long", static n => n * 1_000_003L),
        Of("bool", static n => n % 2 == 0),
        Of("enum", static n => (OrderStatus)(n % 2)),
        Of("string", static n => n.ToString(CultureInfo.InvariantCulture)),
        Of("double", static n => n / 1000.0),
        Of("double, 17 digits", static n => n / 7.0),
        Of("float", static n => n / 1000f),
        Of("decimal", static n => new decimal(n, 0, 0, isNegative: false, scale: 2)),
        Of("DateTime", static n => Start.AddTicks(n * 12_345_678L)),
        Of("DateTimeOffset", static n => new DateTimeOffset(Start.AddTicks(n * 12_345_678L)).ToOffset(Offset)),
        Of("DateOnly", static n => DateOnly.FromDayNumber(n)),
        Of("TimeOnly", static n => new TimeOnly(n * 12_345L)),
        Of("TimeSpan", static n => new TimeSpan(n * 12_345L)),
        Of("Guid", static n => new Guid(n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),
        Of("string[] of two", static n => new[] { n.ToString(CultureInfo.InvariantCulture), "completed-ok" }),
        Of("double, F1", static n => n / 1000.0, "F1"),
        Of("double, 0.00", static n => n / 1000.0, "0.00"),
    ];

    /// <summary>Those that a gate compares.</summary>
    public static IEnumerable<CallStyle> Judged => All.Where(static style => style.Name is not ("int" or "double, 17 digits" or "double, 0.00"));

    private static CallStyle Of<T>(string name, Func<int, T> valueOf, string? format = null)
    {
        T[] values = [.. Enumerable.Range(0, Count).Select(n => valueOf(OrderNumbers.At(n * 877L)))];
        var log = LoggerMessage.Define<int, T>(LogLevel.Information, 1, format is null ? "Order {OrderId} has {Value}" : $"Order {{OrderId}} has {{Value:{format}}}");
        return new CallStyle(name, (logger, order) => log(logger, order, values[order % Count], null), Writes: true);
    }
}
