using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Makes the calls that the fixtures of vectors/odd.jsonl name.</summary>
internal static class OddCalls
{
    public static void Make(string fixture, IVectorTarget harness)
    {
        var logger = harness.Logger(harness.DefaultCategory);
        switch (fixture)
        {
            case "value:ToStringThrows(Shop.BadValue)": LogValue(logger, OddTypes.Of("Shop.BadValue", throws: true)); break;
            case "value:ToStringNull": LogValue(logger, OddTypes.Of("Shop.NoText", throws: false)); break;
            case "value:SelfList": LogValue(logger, SelfList()); break;
            case "value:ThrowingSequence(System.IO.IOException,3)": LogValue(logger, Throwing(3)); break;
            case "state:String(\"plain\")": logger.Log(LogLevel.Information, default, "plain", null, static (state, _) => state); break;
            case "state:NullKey([\"a\",1])": LogState(logger, [new(null!, 0), new("a", 1)]); break;
            case "state:ConcurrentlyChanged": LogWhileChanged(logger); break;
            case "formatter:Throws(System.FormatException)":
                logger.Log(LogLevel.Information, default, "state", null, static (_, _) => throw new FormatException());
                break;
            case "message:Repeat(\"x\",10485760)": LogMessage(logger, new string('x', 10485760)); break;
            case "activity:W3CZeroIds": LogInActivity(logger); break;
            case "category:\"\"": LogMessage(harness.Logger(""), "m"); break;
            case "exception:MessageThrows(Shop.BadException)":
                logger.Log(LogLevel.Error, default, "state", VectorException.Of("Shop.BadException", null, "text"), static (_, _) => "m");
                break;
            case "random:Strings": LogRandom(harness); break;
            default: throw new NotSupportedException(fixture);
        }
    }

    private static void LogMessage(ILogger logger, string message) => logger.Log(LogLevel.Information, default, "state", null, (_, _) => message);

    private static void LogValue(ILogger logger, object value) => LogState(logger, [new("p", value)]);

    private static void LogState(ILogger logger, List<KeyValuePair<string, object?>> state) =>
        logger.Log(LogLevel.Information, default, state, null, static (_, _) => "m");

    private static List<object?> SelfList()
    {
        var list = new List<object?>();
        list.Add(list);
        return list;
    }

    private static IEnumerable<object> Throwing(int after)
    {
        for (var i = 0; i < after; i++)
            yield return i;
        throw new IOException("gone");
    }

    private static void LogWhileChanged(ILogger logger)
    {
        const int Calls = 300;
        List<KeyValuePair<string, object?>> state = [];
        using var end = new CancellationTokenSource();
        var changing = Task.Run(() =>
        {
            for (var i = 0; !end.IsCancellationRequested; i++)
            {
                state.Add(new($"k{i % 7}", "\uD83D" + i));
                if (i % 50 == 0)
                    state.Clear();
            }
        });
        for (var i = 0; i < Calls; i++)
            LogState(logger, state);
        end.Cancel();
        changing.GetAwaiter().GetResult();
    }

    private static void LogInActivity(ILogger logger)
    {
        var activity = VectorRecord.Start(new string('0', 32), new string('0', 16), 0);
        LogMessage(logger, "m");
        activity.Stop();
    }

    private static void LogRandom(IVectorTarget harness)
    {
        const int Calls = 500;
        var random = new Random(4711);
        for (var i = 0; i < Calls; i++)
        {
            using var scope = harness.Logger(harness.DefaultCategory).BeginScope(new List<KeyValuePair<string, object?>> { new(Any(random), Any(random)) });
            var state = new List<KeyValuePair<string, object?>> { new(Any(random), Any(random)), new(Any(random), Any(random)) };
            var message = Any(random);
            harness.Logger(Any(random)).Log(LogLevel.Information, new EventId(i, Any(random)), state, null, (_, _) => message);
        }
    }

    private static string Any(Random random)
    {
        const int Longest = 60;
        var text = new char[random.Next(Longest)];
        for (var i = 0; i < text.Length; i++)
            text[i] = (char)(random.Next(3) == 0 ? random.Next(0x10000) : random.Next(0x80));
        return new string(text);
    }
}
