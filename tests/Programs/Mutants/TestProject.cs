using System.Globalization;
using System.Xml.Linq;

namespace AsyncLog.Mutants;

/// <summary>The tests of one project of the copy, as its program runs them.</summary>
internal sealed class TestProject
{
    private static readonly string[] Fast = ["-trait-", "Category=system", "-trait-", "Category=slow"];
    private readonly WorkingCopy _copy;
    private readonly string[] _filter;
    private readonly string _assembly;
    private readonly Dictionary<string, bool> _passesWithoutMutant = new(StringComparer.Ordinal);
    private readonly Dictionary<string, HashSet<int>> _executed = new(StringComparer.Ordinal);
    private readonly Dictionary<string, double> _seconds = new(StringComparer.Ordinal);

    /// <param name="folder">The folder of the project.</param>
    /// <param name="only">The one method that is run; null: the tests of <c>./test.sh fast</c>.</param>
    public TestProject(WorkingCopy copy, string folder, string? only = null)
    {
        _copy = copy;
        Folder = folder;
        _filter = only is null ? Fast : ["-method", only];
        var project = Directory.GetFiles(copy.PathOf(folder), "*.csproj").Single();
        _assembly = copy.PathOf($"{folder}/bin/Release/net10.0/{Path.GetFileNameWithoutExtension(project)}.dll");
    }

    public string Folder { get; }

    public IEnumerable<string> Classes => _seconds.Keys;

    public double SecondsOf(IEnumerable<string> classes) => classes.Sum(name => _seconds[name]);

    public bool Executes(string className, Mutant mutant) => _executed.TryGetValue(className, out var ids) && ids.Contains(mutant.Id);

    /// <summary>Runs all tests one after the other without a mutant, and learns what each class executes and how long it takes.</summary>
    public void Learn(int highestId)
    {
        var executed = _copy.PathOf("executed");
        File.WriteAllBytes(executed, new byte[highestId + 1]);
        File.WriteAllText(executed + ".classes", "");
        var run = Run(mutant: null, ["-parallel", "none"], 3600, new() { ["MUTANTS_EXECUTED"] = executed });
        if (!run.HasReport)
            throw new InvalidOperationException($"the tests of {Folder} do not end well without a mutant");
        foreach (var line in File.ReadLines(executed + ".classes"))
        {
            var words = line.Split(' ');
            if (!_executed.TryGetValue(words[0], out var ids))
                _executed[words[0]] = ids = [];
            ids.UnionWith(words.Skip(1).Select(static id => int.Parse(id, CultureInfo.InvariantCulture)));
        }

        foreach (var tests in run.Tests.GroupBy(static test => test.Class, StringComparer.Ordinal))
            _seconds[tests.Key] = tests.Sum(static test => test.Seconds);
        foreach (var name in run.Tests.Where(static test => test.HasFailed).Select(static test => test.Name).Distinct())
        {
            _passesWithoutMutant[name] = false;
            Console.WriteLine($"{name} fails without a mutant, and kills none");
        }
    }

    /// <summary>Runs classes with a mutant.</summary>
    /// <returns>What killed it: a test that fails a second time alone, a hang, or the end of the process; null: nothing.</returns>
    public string? TryKill(Mutant mutant, IReadOnlyList<string> classes)
    {
        var broken = _passesWithoutMutant.Where(static test => !test.Value).Select(static test => test.Key);
        string[] filter = [.. classes.SelectMany(static name => new[] { "-class", name }), .. broken.SelectMany(static name => new[] { "-method-", name })];
        var limit = 20 + (4 * SecondsOf(classes));
        for (var stops = true; ;)
        {
            // Most tests wait for something half of their time.
            string[] arguments = [.. filter, "-maxThreads", "2x", .. stops ? ["-stopOnFail"] : Array.Empty<string>()];
            var run = Run(mutant, arguments, limit);
            if (!run.HasEnded && Run(mutant: null, arguments, limit).HasEnded)
                return "hang";
            if (!run.HasEnded)
            {
                // The machine is busy, and the mutant not the cause.
                limit *= 4;
                continue;
            }

            var failed = run.Tests.Where(static test => test.HasFailed).Select(static test => test.Name).Distinct().ToList();
            if (failed.Find(name => FailsAlone(mutant, name)) is { } test)
                return test;
            if (run.IsGood || (failed.Count > 0 && !stops))
                return null;
            if (!stops)
                return "end of the process";
            // The failure that does not repeat has ended the others.
            stops = false;
        }
    }

    private bool FailsAlone(Mutant mutant, string test)
    {
        var limit = 20 + (4 * SecondsOf(Classes));
        if (Run(mutant, ["-method", test], limit).IsGood)
            return false;
        if (!_passesWithoutMutant.TryGetValue(test, out var passes))
            _passesWithoutMutant[test] = passes = Run(mutant: null, ["-method", test], limit).IsGood;
        return passes;
    }

    private TestRun Run(Mutant? mutant, IEnumerable<string> arguments, double limit, Dictionary<string, string>? environment = null)
    {
        environment ??= [];
        environment["MUTANT"] = mutant is null ? "" : mutant.Id.ToString(CultureInfo.InvariantCulture);
        var report = _copy.PathOf("report.xml");
        File.Delete(report);
        string[] command = [_assembly, "-noLogo", "-noColor", .. _filter, .. arguments, "-xml", report];
        var (exitCode, _) = Command.Run(Command.Dotnet, command, _copy.Root, limit, environment);
        return new(exitCode, File.Exists(report) ? [.. XElement.Load(report).Descendants("test").Select(TestResult.Read)] : null);
    }

    private sealed record TestResult(string Class, string Name, double Seconds, bool HasFailed)
    {
        public static TestResult Read(XElement test) => new(
            test.Attribute("type")!.Value,
            $"{test.Attribute("type")!.Value}.{test.Attribute("method")!.Value}",
            double.Parse(test.Attribute("time")!.Value, CultureInfo.InvariantCulture),
            test.Attribute("result")!.Value == "Fail");
    }

    private sealed record TestRun(int? ExitCode, IReadOnlyList<TestResult>? Report)
    {
        public bool HasEnded => ExitCode is not null;

        public bool HasReport => Report is { Count: > 0 };

        public bool IsGood => ExitCode == 0;

        public IReadOnlyList<TestResult> Tests => Report ?? [];
    }
}
