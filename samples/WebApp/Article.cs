namespace WebApp;

internal sealed record Article(string Name, decimal Price);
