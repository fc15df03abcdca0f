namespace WebApp;

internal sealed record Order(long Number, string Customer, IReadOnlyList<CartItem> Items, decimal Total);
