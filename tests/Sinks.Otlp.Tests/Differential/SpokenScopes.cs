using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Differential;

/// <summary>Calls inside scopes.</summary>
internal static class SpokenScopes
{
    private static readonly Func<ILogger, int, IDisposable?> Generated = LoggerMessage.DefineScope<int>("generated {Step}");

    public static void InText(ILogger logger, int number)
    {
        using (logger.BeginScope("a scope of text"))
        using (logger.BeginScope("order {Order} of {Customer}", number, "Ada"))
            logger.LogInformation("In text scopes {Number}", number);
    }

    public static void InPairs(ILogger logger, int number)
    {
        using (logger.BeginScope(new Dictionary<string, object?>(StringComparer.Ordinal) { ["RequestId"] = "r1", ["Attempt"] = number }))
        using (Generated(logger, number))
            logger.LogInformation("In scopes of pairs {Number}", number);
    }

    /// <summary>The same keys outside, inside and in the call.</summary>
    public static void InBoth(ILogger logger, int number)
    {
        using (logger.BeginScope(new Dictionary<string, object?>(StringComparer.Ordinal) { ["Number"] = "outer", ["Step"] = 1, ["Outer"] = 1 }))
        using (logger.BeginScope(new Dictionary<string, object?>(StringComparer.Ordinal) { ["Number"] = "inner", ["Step"] = 2 }))
            logger.LogInformation("In scopes with the same keys {Number}", number);
    }
}
