using System.Collections.Concurrent;

namespace WebApp;

/// <summary>The articles and how many of each are left.</summary>
internal sealed class Catalog
{
    private readonly ConcurrentDictionary<string, int> _stock = new(
        new Dictionary<string, int> { ["apple"] = 1_000_000, ["bread"] = 1_000_000, ["cheese"] = 20, ["salt"] = 0 },
        StringComparer.OrdinalIgnoreCase);

    private readonly Dictionary<string, decimal> _prices = new(StringComparer.OrdinalIgnoreCase)
    {
        ["apple"] = 0.40m,
        ["bread"] = 3.20m,
        ["cheese"] = 7.95m,
        ["salt"] = 0.99m,
    };

    public IReadOnlyDictionary<string, int> Stock => _stock;

    public Article? Find(string name) => _prices.TryGetValue(name, out var price) ? new Article(name, price) : null;

    /// <summary>Takes articles out of stock.</summary>
    /// <exception cref="OutOfStockException">There are not enough.</exception>
    public void Take(string name, int quantity)
        => _stock.AddOrUpdate(
            name,
            static (article, wanted) => throw new OutOfStockException(article, wanted, left: 0),
            static (article, left, wanted) => left >= wanted ? left - wanted : throw new OutOfStockException(article, wanted, left),
            quantity);
}
