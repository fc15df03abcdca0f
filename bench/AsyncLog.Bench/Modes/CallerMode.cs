using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Bench;

/// <summary>Mode <c>caller</c>: rounds over all libraries, each in a process of its own, one after the other, so that drift of the machine hits all alike.</summary>
internal static class CallerMode
{
    public const int DefaultBurst = 4_096;

    public static int Run(BenchArguments arguments)
    {
        var rounds = arguments.Number("rounds", 10);
        var calls = arguments.Number("calls", 204_800);
        var libraries = arguments.Text("libraries", string.Join(',', LibraryCatalogue.Names)).Split(',');
        var root = arguments.Text("directory", Path.Combine(Path.GetTempPath(), "asynclog-bench-" + Environment.ProcessId.ToString(CultureInfo.InvariantCulture)));
        Directory.CreateDirectory(root);
        Console.WriteLine(Machine.Describe(root, arguments.Has("server-gc")));
        Console.WriteLine(Sanity.Measure(root));

        var results = new List<CallerResult>();
        for (var round = 1; round <= rounds; round++)
        {
            foreach (var library in libraries)
                results.AddRange(RunChild(library, calls, round, root, arguments));
            Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"round {round} of {rounds}"));
        }

        if (arguments.Has("json"))
            File.AppendAllLines(arguments.Text("json", "caller.jsonl"), results.Select(static result => JsonSerializer.Serialize(result)));
        Directory.Delete(root, recursive: true);
        var report = new CallerReport(results);
        report.PrintCosts(Console.Out);
        report.PrintRatios(Console.Out);
        return report.PrintGates(Console.Out) ? 0 : 1;
    }

    private static IEnumerable<CallerResult> RunChild(string library, int calls, int round, string root, BenchArguments arguments)
    {
        var directory = Path.Combine(root, library);
        Directory.CreateDirectory(directory);
        var result = Path.Combine(root, "result.jsonl");
        ChildProcess.Run(
            [
                CallerRun.Command, "--library", library, "--calls", calls.ToString(CultureInfo.InvariantCulture),
                "--round", round.ToString(CultureInfo.InvariantCulture), "--directory", directory, "--result", result,
                "--burst", arguments.Number("burst", DefaultBurst).ToString(CultureInfo.InvariantCulture),
            ],
            directory,
            arguments.Has("server-gc"));
        var results = File.ReadLines(result).Select(static line => JsonSerializer.Deserialize<CallerResult>(line)!).ToList();
        Directory.Delete(directory, recursive: true);
        File.Delete(result);
        return results;
    }
}
