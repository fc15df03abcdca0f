using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

/// <summary>Code of a plug-in: <see cref="UnloadTests"/> loads this assembly once more, into a collectible context, and calls these methods there with loggers of the host.</summary>
internal static partial class PlugIn
{
    public const string EnumTemplate = "A plug-in paints {Color} for {Name}";

    // More than the events that a state and a call need until they are known.
    private const int Times = 40;

    public static void LogEnums(ILogger logger)
    {
        for (var i = 0; i < Times; i++)
            Paint(logger, Color.Green, "box");
    }

    public static void LogObjects(ILogger logger)
    {
        for (var i = 0; i < Times; i++)
            logger.LogInformation("A plug-in sends {@Item} and {@Items}", new Item(i, Color.Green), new List<Item> { new(i, Color.Red) });
    }

    public static void LogOthers(ILogger logger)
    {
        for (var i = 0; i < Times; i++)
        {
            using (logger.BeginScope(new Dictionary<string, object?> { ["Color"] = Color.Red, ["@Item"] = new Item(i, Color.Red) }))
                logger.LogInformation("A plug-in has {Color}, {Item}, {Items}, {$Text}", Color.Green, new Item(i, Color.Green), new[] { new Item(i, Color.Red) }, new Item(i, Color.Red));
        }
    }

    [LoggerMessage(1, LogLevel.Information, EnumTemplate)]
    private static partial void Paint(ILogger logger, Color color, string name);

    private enum Color
    {
        Red,
        Green,
    }

    private sealed record Item(int Number, Color Color);
}
