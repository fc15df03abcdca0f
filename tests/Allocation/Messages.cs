using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>The calls: generated methods over every type that must not be boxed, and templates.</summary>
internal static partial class Messages
{
    private static readonly Guid Id = Guid.Parse("0f8fad5b-d9cb-469f-a165-70867728950e", CultureInfo.InvariantCulture);
    private static readonly DateTime Day = new(2026, 11, 20, 13, 0, 17, DateTimeKind.Utc);

    private static readonly Action<ILogger, int, string, Exception?>[] Calls =
    [
        .. Enumerable.Range(0, 16).Select(static id => LoggerMessage.Define<int, string>(id % 2 == 0 ? LogLevel.Information : LogLevel.Warning, id, "Order {OrderId} for customer {Customer}")),
    ];

    public static void None(ILogger logger, int number) => Plain(logger);

    public static void One(ILogger logger, int number) => Single(logger, number);

    public static void Two(ILogger logger, int number) => Pair(logger, number, "ACME-Corp-EU");

    public static void Three(ILogger logger, int number) => Triple(logger, number, "ACME-Corp-EU", 1.5m);

    public static void Four(ILogger logger, int number) => Order(logger, number, "ACME-Corp-EU", number / 1000.0, "completed-ok");

    public static void Five(ILogger logger, int number) => Five(logger, number, Id, Day, TimeSpan.FromTicks(number), true);

    public static void Six(ILogger logger, int number) => Six(logger, number, Id, new DateTimeOffset(Day), 12.5m, DayOfWeek.Friday, "six");

    public static void Seven(ILogger logger, int number) => Seven(logger, number, number, number, number, number, number, number);

    public static void SmallIntegers(ILogger logger, int number) => SmallIntegers(logger, (byte)number, (sbyte)number, (short)number, (ushort)number, (char)('a' + number % 26), number % 2 == 0);

    public static void Numbers(ILogger logger, int number) => Numbers(logger, (uint)number, number, (ulong)number, number / 7f, number / 7.0, number / 7m);

    public static void Times(ILogger logger, int number) => Times(logger, Day.AddTicks(number), new DateTimeOffset(Day).AddTicks(number), TimeSpan.FromTicks(number), Id, (DayOfWeek)(number % 7), null);

    public static void Formatted(ILogger logger, int number) => Formatted(logger, number, number / 1000.0, Day, number, "left");

    public static void Disabled(ILogger logger, int number) => Quiet(logger, number, "nobody hears this");

    public static void OneOfMany(ILogger logger, int number) => Calls[number % Calls.Length](logger, number, "ACME-Corp-EU", null);

    public static void Template(ILogger logger, int number)
        => logger.LogInformation("Order {OrderId} for customer {Customer} took {Elapsed:F3} ms with status {Status}", number, "ACME-Corp-EU", number / 1000.0, "completed-ok");

    public static void TemplateWithoutValues(ILogger logger, int number) => logger.LogInformation("Nothing to add");

    [LoggerMessage(1, LogLevel.Information, "Nothing to add")]
    private static partial void Plain(ILogger logger);

    [LoggerMessage(2, LogLevel.Information, "Order {OrderId}")]
    private static partial void Single(ILogger logger, int orderId);

    [LoggerMessage(3, LogLevel.Information, "Order {OrderId} for customer {Customer}")]
    private static partial void Pair(ILogger logger, int orderId, string customer);

    [LoggerMessage(4, LogLevel.Information, "Order {OrderId} for customer {Customer} costs {Price}")]
    private static partial void Triple(ILogger logger, int orderId, string customer, decimal price);

    [LoggerMessage(5, LogLevel.Information, "Order {OrderId} for customer {Customer} took {Elapsed:F3} ms with status {Status}")]
    private static partial void Order(ILogger logger, int orderId, string customer, double elapsed, string status);

    [LoggerMessage(6, LogLevel.Information, "{Number} {Id} {Time} {Took} {Done}")]
    private static partial void Five(ILogger logger, int number, Guid id, DateTime time, TimeSpan took, bool done);

    [LoggerMessage(7, LogLevel.Information, "{Number} {Id} {Time} {Price} {Day} {Text}")]
    private static partial void Six(ILogger logger, int number, Guid id, DateTimeOffset time, decimal price, DayOfWeek day, string text);

    [LoggerMessage(8, LogLevel.Information, "{A} {B} {C} {D} {E} {F} {G}")]
    private static partial void Seven(ILogger logger, int a, int b, int c, int d, int e, int f, int g);

    [LoggerMessage(9, LogLevel.Information, "{Byte} {SByte} {Short} {UShort} {Char} {Bool}")]
    private static partial void SmallIntegers(ILogger logger, byte @byte, sbyte sByte, short @short, ushort uShort, char @char, bool @bool);

    [LoggerMessage(10, LogLevel.Information, "{UInt} {Long} {ULong} {Float} {Double} {Decimal}")]
    private static partial void Numbers(ILogger logger, uint uInt, long @long, ulong uLong, float @float, double @double, decimal @decimal);

    [LoggerMessage(11, LogLevel.Information, "{Time} {Stamp} {Took} {Id} {Day} {Text}")]
    private static partial void Times(ILogger logger, DateTime time, DateTimeOffset stamp, TimeSpan took, Guid id, DayOfWeek day, string? text);

    [LoggerMessage(12, LogLevel.Information, "{Number:X8} {Elapsed:F3} {Time:yyyy-MM-dd} {Padded,12} {Text,-8}|")]
    private static partial void Formatted(ILogger logger, int number, double elapsed, DateTime time, int padded, string text);

    [LoggerMessage(13, LogLevel.Debug, "Order {OrderId} {Text}")]
    private static partial void Quiet(ILogger logger, int orderId, string text);
}
