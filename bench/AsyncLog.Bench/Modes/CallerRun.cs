using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Bench;

/// <summary>One library in a process of its own: warms up, measures every call style, disposes, and verifies that every line arrived.</summary>
internal static class CallerRun
{
    public const string Command = "caller-run";

    // Spread over time: the runtime optimises in steps, each after a tenth of a second without new code, and a fast library is through with
    // any number of calls before the first step.
    private const int WarmUpRounds = 25;
    private const int WarmUpPause = 120;
    private const int WarmUpCalls = 4_096;

    public static int Run(BenchArguments arguments)
    {
        var directory = arguments.Text("directory", ".");
        var name = arguments.Text("library", "no-op");
        var calls = arguments.Number("calls", 4_096);
        var round = arguments.Number("round", 0);
        List<CallerResult> results;
        IReadOnlyList<string> files;
        WrittenLines expected;
        using (var library = LibraryCatalogue.Create(name, directory))
        {
            var meter = new CallMeter(library, arguments.Number("burst", CallerMode.DefaultBurst));
            WarmUp(meter);
            results = [.. CallStyle.All.Select(style => Measure(meter, style, name, calls, round))];
            files = library.Files;
            expected = meter.Expected;
        }

        foreach (var file in files)
            Verify(file, expected);
        File.WriteAllLines(
            arguments.Text("result", "result.jsonl"),
            results.Select(result => JsonSerializer.Serialize(result with { Lines = files.Count == 0 ? 0 : expected.Count })));
        return 0;
    }

    private static void WarmUp(CallMeter meter)
    {
        for (var round = 0; round < WarmUpRounds; round++)
        {
            foreach (var style in CallStyle.All)
                meter.WarmUp(style, WarmUpCalls);
            Thread.Sleep(WarmUpPause);
        }
    }

    private static CallerResult Measure(CallMeter meter, CallStyle style, string library, int calls, int round)
    {
        var cost = meter.Measure(style, calls);
        return new CallerResult(library, style.Name, round, calls, cost.Nanoseconds, cost.Bytes, Lines: 0);
    }

    private static void Verify(string file, WrittenLines expected)
    {
        var written = WrittenLines.Read(file);
        if (written != expected)
        {
            throw new InvalidOperationException(string.Create(
                CultureInfo.InvariantCulture,
                $"{file}: {written.Count} lines with sum {written.Sum}, expected {expected.Count} with sum {expected.Sum}"));
        }
    }
}
