using System.Collections.Concurrent;

namespace WebApp;

/// <summary>Turns carts into orders.</summary>
internal sealed partial class Orders(Catalog catalog, Carts carts, ILogger<Orders> logger)
{
    private readonly ConcurrentDictionary<long, Order> _orders = new();
    private long _number;

    public Order? Find(long number) => _orders.GetValueOrDefault(number);

    /// <summary>Orders everything in the cart.</summary>
    /// <exception cref="OutOfStockException">There is not enough of an article; the cart is empty afterwards.</exception>
    public Order? Place(string customer)
    {
        var number = Interlocked.Increment(ref _number);
        // A scope: everything logged inside it carries these values where the layout shows scopes (JSON does).
        using var scope = logger.BeginScope("order {Number} of {Customer}", number, customer);
        var items = carts.Empty(customer);
        if (items.Count == 0)
        {
            NothingToOrder(logger, customer);
            return null;
        }

        foreach (var item in items)
            Take(item);
        var order = new Order(number, customer, items, items.Sum(item => item.Quantity * catalog.Find(item.Article)!.Price));
        _orders[number] = order;
        Placed(logger, number, customer, items.Count, order.Total);
        return order;
    }

    private void Take(CartItem item)
    {
        catalog.Take(item.Article, item.Quantity);
        logger.LogDebug("{Quantity} of {Article} taken out of stock", item.Quantity, item.Article);
    }

    // Generated methods: no array, no box, no string per call.
    [LoggerMessage(1, LogLevel.Information, "Order {Number} of {Customer} placed: {Count} items, {Total:F2}")]
    private static partial void Placed(ILogger logger, long number, string customer, int count, decimal total);

    [LoggerMessage(2, LogLevel.Warning, "{Customer} ordered an empty cart")]
    private static partial void NothingToOrder(ILogger logger, string customer);
}
