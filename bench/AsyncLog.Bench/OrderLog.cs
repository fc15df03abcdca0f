using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>The record that every library writes: <c>2026-11-20 13:00:17.846 [INFO] [bench] Order 499999 for customer ACME-Corp-EU took 499.999 ms with
/// status completed-ok</c>, 119 bytes with its line end when the number has six digits. The time is a double without a format, with an odd last digit, so that
/// it always has three decimals.</summary>
internal static partial class OrderLog
{
    /// <summary>The logger's category, the name in the line.</summary>
    public const string Category = "bench";

    private const string Customer = "ACME-Corp-EU";
    private const string Status = "completed-ok";

    /// <summary>One call through a generated method.</summary>
    public static void Generated(ILogger logger, int order) => Completed(logger, order, Customer, ElapsedOf(order), Status);

    /// <summary>One call through the template extension.</summary>
    public static void Template(ILogger logger, int order)
        => logger.LogInformation("Order {OrderId} for customer {Customer} took {Elapsed} ms with status {Status}", order, Customer, ElapsedOf(order), Status);

    /// <summary>One call through a generated method at a disabled level.</summary>
    public static void Disabled(ILogger logger, int order) => Skipped(logger, order, Customer, ElapsedOf(order), Status);

    private static double ElapsedOf(int order) => (order | 1) / 1000.0;

    [LoggerMessage(1, LogLevel.Information, "Order {OrderId} for customer {Customer} took {Elapsed} ms with status {Status}")]
    private static partial void Completed(ILogger logger, int orderId, string customer, double elapsed, string status);

    [LoggerMessage(2, LogLevel.Debug, "Order {OrderId} for customer {Customer} took {Elapsed} ms with status {Status}")]
    private static partial void Skipped(ILogger logger, int orderId, string customer, double elapsed, string status);
}
