using System.Collections;
using System.Diagnostics;
using System.Text.RegularExpressions;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests
{
    /// <summary>Makes the calls that a fixture of vectors/odd.jsonl names: <c>kind:Name(arguments)</c>.</summary>
    internal sealed partial class OddFixture
    {
        private const int ManyCalls = 300;

        public OddFixture(string text)
        {
            var match = Form().Match(text);
            Assert.True(match.Success, text);
            Kind = match.Groups["kind"].Value;
            Name = match.Groups["name"].Value;
        }

        public string Kind { get; }

        public string Name { get; }

        public void Log(TestPipeline pipeline)
        {
            var logger = pipeline.Logger;
            switch ((Kind, Name))
            {
                case ("value", "ToStringThrows"): logger.LogInformation("{v}", new Shop.BadValue()); break;
                case ("value", "ToStringNull"): logger.LogInformation("{v}", new NullToString()); break;
                case ("value", "SelfList"): logger.Log(LogLevel.Information, default, Pairs(("v", SelfList())), null, static (_, _) => "m"); break;
                case ("value", "ThrowingSequence"): logger.Log(LogLevel.Information, default, Pairs(("v", new ThrowingSequence(3))), null, static (_, _) => "m"); break;
                case ("state", "String"): logger.Log(LogLevel.Information, default, "plain", null, static (state, _) => state); break;
                case ("state", "NullKey"): logger.Log(LogLevel.Information, default, Pairs((null!, 0), ("a", 1)), null, static (_, _) => "m"); break;
                case ("state", "ConcurrentlyChanged"): LogChanging(logger); break;
                case ("formatter", "Throws"): logger.Log(LogLevel.Information, default, "s", null, static (_, _) => throw new FormatException("no")); break;
                case ("message", "Repeat"): logger.Log(LogLevel.Information, default, "s", null, static (_, _) => new string('x', 10 << 20)); break;
                case ("activity", "W3CZeroIds"): LogInZeroActivity(logger); break;
                case ("category", "\"\""): pipeline.Factory.CreateLogger("").LogInformation("m"); break;
                case ("exception", "MessageThrows"): logger.LogError(new Shop.BadException(), "m"); break;
                case ("random", "Strings"): LogRandom(pipeline); break;
                default: Assert.Fail($"{Kind}:{Name} is not built."); break;
            }
        }

        private static KeyValuePair<string, object?>[] Pairs(params (string Name, object? Value)[] pairs)
            => [.. pairs.Select(static pair => new KeyValuePair<string, object?>(pair.Name, pair.Value))];

        private static ArrayList SelfList()
        {
            var list = new ArrayList();
            list.Add(list);
            return list;
        }

        private static void LogInZeroActivity(ILogger logger)
        {
            using var activity = new Activity("odd");
            activity.SetIdFormat(ActivityIdFormat.W3C);
            activity.SetParentId(default(ActivityTraceId), default(ActivitySpanId));
            Activity.Current = activity;
            logger.LogInformation("m");
            Activity.Current = null;
        }

        private static void LogChanging(ILogger logger)
        {
            var state = new List<KeyValuePair<string, object?>>(Pairs(("a", 1), ("b", "two")));
            var isDone = false;
            var changer = new Thread(() =>
            {
                while (!Volatile.Read(ref isDone))
                {
                    state.Add(new KeyValuePair<string, object?>("c", "\u202E"));
                    if (state.Count > 50)
                        state.Clear();
                }
            });
            changer.Start();
            for (var i = 0; i < ManyCalls; i++)
                logger.Log(LogLevel.Information, default, state, null, static (_, _) => "m");
            Volatile.Write(ref isDone, true);
            changer.Join();
        }

        private static void LogRandom(TestPipeline pipeline)
        {
            var random = new Random(20261121);
            for (var i = 0; i < ManyCalls; i++)
            {
                var logger = pipeline.Factory.CreateLogger(Text(random));
                using (logger.BeginScope(Text(random)))
                using (logger.BeginScope(Pairs((Text(random), Text(random)))))
                    logger.Log(LogLevel.Information, new EventId(1, Text(random)), Pairs((Text(random), Text(random)), ("{OriginalFormat}", Text(random))), null, (_, _) => Text(random));
            }
        }

        private static string Text(Random random)
            => string.Concat(Enumerable.Range(0, random.Next(12)).Select(_ => (char)(random.Next(3) == 0 ? random.Next(0x10000) : random.Next(0x80))));

        [GeneratedRegex(@"^(?<kind>\w+):(?<name>[\w""]+)(\(.*\))?$")]
        private static partial Regex Form();
    }
}

namespace Shop
{
    /// <summary>Throws when asked for its text.</summary>
    internal sealed class BadValue
    {
        public override string ToString() => throw new InvalidOperationException("no text");
    }

    /// <summary>Throws when asked for its message.</summary>
    internal sealed class BadException : Exception
    {
        public override string Message => throw new InvalidOperationException("no message");
    }
}
