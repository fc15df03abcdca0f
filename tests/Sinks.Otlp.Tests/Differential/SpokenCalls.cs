using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Differential;

/// <summary>1,000 log calls, each kind in turn: what applications say, and what they say by mistake.</summary>
internal sealed class SpokenCalls(ILoggerFactory factory)
{
    public const int Count = 1000;

    private static readonly string[] Categories = ["Shop.Cart", "Shop.Orders", "Microsoft.AspNetCore.Hosting", "Späti"];
    private readonly ILogger[] _loggers = [.. Categories.Select(factory.CreateLogger)];

    private static Action<ILogger, int>[] Kinds =>
    [
        static (logger, n) => logger.Log((LogLevel)(n % 6), "Plain text without a hole"),
        static (logger, n) => logger.LogInformation("Item {Number} of {Customer} costs {Price}", n, "Ada", n / 2.0),
        static (logger, n) => logger.LogInformation(new EventId(n, "ItemAdded"), "Item {Number:D5} at {Price,10:F2}", n, n * 1.1),
        static (logger, n) => logger.LogDebug(new EventId(n), "Braces {{are}} text, {Flag} is not", n % 2 == 0),
        static (logger, n) => logger.LogTrace(new EventId(0, "NoNumber"), "Empty {Text} and null {Nothing}", "", null),
        static (logger, n) => logger.LogWarning("Twice {Value} and {Value}", n, -n),
        static (logger, n) => SpokenMessages.Started(logger),
        static (logger, n) => SpokenMessages.Counted(logger, n, long.MaxValue - n),
        static (logger, n) => SpokenMessages.Measured(logger, "Zoë", n * 0.1, 0.5f, n % 3 == 0),
        static (logger, n) => SpokenMessages.Described(logger, SpokenValues.Id(n), DayOfWeek.Friday, "line one\nline two\t\u0001 \u2028 😀"),
        static (logger, n) => SpokenMessages.Failed(logger, SpokenValues.Thrown(n), n),
        static (logger, n) => SpokenMessages.Seven(logger, 1, "2", 3.5, true, 5, "6", n),
        static (logger, n) => SpokenValues.Say(logger, SpokenValues.Scalars, n),
        static (logger, n) => SpokenValues.Say(logger, SpokenValues.Times, n),
        static (logger, n) => SpokenValues.Say(logger, SpokenValues.Collections, n),
        static (logger, n) => SpokenValues.Say(logger, SpokenValues.Objects, n),
        static (logger, n) => logger.LogError(SpokenValues.Thrown(n), "Order {Number} failed", n),
        static (logger, n) => logger.LogCritical(new AggregateException("two", SpokenValues.Thrown(n), new TimeoutException()), "Both ways failed"),
        static (logger, n) => SpokenStates.Say(logger, n),
        static (logger, n) => SpokenScopes.InText(logger, n),
        static (logger, n) => SpokenScopes.InPairs(logger, n),
        static (logger, n) => SpokenScopes.InBoth(logger, n),
        static (logger, n) => InActivity(n, ActivityIdFormat.W3C, () => logger.LogInformation("Inside an activity {Number}", n)),
        static (logger, n) => InActivity(n, ActivityIdFormat.Hierarchical, () => logger.LogInformation("Inside an old activity {Number}", n)),
        static (logger, n) => InActivity(n, ActivityIdFormat.W3C, () => SpokenScopes.InPairs(logger, n)),
    ];

    public void SayAll()
    {
        Action<ILogger, int>[] kinds = Kinds;
        for (int i = 0; i < Count; i++)
            kinds[i % kinds.Length](_loggers[i / kinds.Length % _loggers.Length], i / kinds.Length);
    }

    private static void InActivity(int number, ActivityIdFormat format, Action say)
    {
        using var activity = new Activity("request").SetIdFormat(format);
        activity.ActivityTraceFlags = number % 2 == 0 ? ActivityTraceFlags.Recorded : ActivityTraceFlags.None;
        activity.TraceStateString = string.Create(CultureInfo.InvariantCulture, $"shop={number}");
        activity.Start();
        say();
    }
}
