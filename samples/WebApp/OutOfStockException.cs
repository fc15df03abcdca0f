namespace WebApp;

internal sealed class OutOfStockException(string article, int wanted, int left)
    : Exception(FormattableString.Invariant($"{wanted} of {article} wanted, {left} left"));
