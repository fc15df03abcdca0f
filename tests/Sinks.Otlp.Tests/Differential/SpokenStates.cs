using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Differential;

/// <summary>Calls of <see cref="ILogger.Log"/> with states that no template made.</summary>
internal static class SpokenStates
{
    public static void Say(ILogger logger, int number)
    {
        switch (number % 8)
        {
            case 0:
                logger.Log(LogLevel.Information, default, "the state is a text", null, static (state, _) => state);
                break;
            case 1:
                logger.Log(LogLevel.Information, default, number, null, static (state, _) => state.ToString(CultureInfo.InvariantCulture));
                break;
            case 2:
                Log(logger, [new("a", 1), new("b", "two")], "pairs without a template");
                break;
            case 3:
                Log(logger, [new("", "empty key"), new("a", 1)], "an empty key");
                break;
            case 4:
                Log(logger, [.. Enumerable.Range(0, 140).Select(static i => new KeyValuePair<string, object?>(string.Create(CultureInfo.InvariantCulture, $"k{i}"), i))], "more than 128 attributes");
                break;
            case 5:
                Log(logger, [new("exception.type", "mine"), new("logrecord.event.id", "mine too")], "keys of the library", SpokenValues.Thrown(number), 9);
                break;
            case 6:
                Log(logger, [new("a", 1)], "");
                break;
            default:
                Log(logger, [new("key \uD83D", 1), new("a", 1)], "unpaired \uDC00 surrogate");
                break;
        }
    }

    private static void Log(ILogger logger, List<KeyValuePair<string, object?>> state, string message, Exception? exception = null, int id = 0) =>
        logger.Log(LogLevel.Warning, new EventId(id), state, exception, (_, _) => message);
}
