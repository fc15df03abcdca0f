namespace AsyncLog;

/// <summary>The header <c>User-Agent</c>.</summary>
internal static class UserAgentText
{
    private static readonly string Own =
        $"AsyncLog.Otlp/{typeof(UserAgentText).Assembly.GetName().Version?.ToString(3) ?? "0.0.0"}";

    /// <param name="product">What the user put in front; null: nothing.</param>
    public static string Of(string? product) => string.IsNullOrWhiteSpace(product) ? Own : $"{product.Trim()} {Own}";
}
