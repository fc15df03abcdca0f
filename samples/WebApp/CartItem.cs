namespace WebApp;

internal sealed record CartItem(string Article, int Quantity);
