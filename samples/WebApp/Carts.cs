using System.Collections.Concurrent;
using System.Collections.Immutable;

namespace WebApp;

/// <summary>What customers want to buy.</summary>
internal sealed class Carts(ILogger<Carts> logger)
{
    private readonly ConcurrentDictionary<string, ImmutableList<CartItem>> _carts = new(StringComparer.Ordinal);

    public IReadOnlyList<CartItem> Of(string customer) => _carts.GetValueOrDefault(customer, []);

    public IReadOnlyList<CartItem> Add(string customer, CartItem item)
    {
        var items = _carts.AddOrUpdate(customer, [item], (_, before) => before.Add(item));
        // A message template: what stands in braces is a property of the JSON line, found by name.
        logger.LogInformation("{Quantity} of {Article} added to the cart of {Customer}", item.Quantity, item.Article, customer);
        if (items.Count > 20)
            logger.LogWarning("The cart of {Customer} has {Count} items", customer, items.Count);
        return items;
    }

    public IReadOnlyList<CartItem> Empty(string customer) => _carts.TryRemove(customer, out var items) ? items : [];
}
