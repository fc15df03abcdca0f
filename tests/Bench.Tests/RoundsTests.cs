namespace AsyncLog.Tests;

public sealed class RoundsTests : IDisposable
{
    private static readonly BenchResult Begun = new(Invocation.Line, "i", "", 0, new Dictionary<string, double>()) { Invocation = "i", Facts = new Dictionary<string, string> { ["commit"] = "c" } };
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("bench-rounds-");

    public void Dispose() => _root.Delete(recursive: true);

    [Theory]
    [InlineData(10, "")]
    [InlineData(3, "--rounds 3")]
    [InlineData(2, "--quick")]
    [InlineData(6, "--minutes 15")]
    [InlineData(1, "--minutes 1")]
    [InlineData(3, "--rounds 3 --minutes 60")]
    public void Rounds_of_150_seconds_fit_the_minutes(int rounds, string arguments)
        => Assert.Equal(rounds, new PlanLength(150).Rounds(new BenchArguments(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries))));

    [Fact]
    public void The_length_of_a_round_and_of_all_rounds_is_in_minutes()
        => Assert.Equal("a round takes about 2.5 min, 10 rounds 25 min", new PlanLength(150).Text(10));

    [Fact]
    public void Every_second_round_goes_backwards()
    {
        var order = new List<string>();
        Run([new Probe("a", (_, round) => order.Add("a" + round)), new Probe("b", (_, round) => order.Add("b" + round))], "--rounds 3");
        Assert.Equal(["a1", "b1", "b2", "a2", "a3", "b3"], order);
    }

    [Fact]
    public void A_run_that_failed_is_tried_again_and_recorded()
    {
        var rounds = Run([new Probe("a", static (attempt, _) => FailUnless(attempt == 2))], "--rounds 1");
        Assert.Equal([(1, "lost one"), (2, null)], rounds.Results.Where(static result => result.Library == "a").Select(static result => (result.Attempt, result.Failure)));
        Assert.Empty(Attempts.FailedFor(rounds.Results));
        Assert.Equal(["- run a: 1 failed, 0 rounds without a result; the last: lost one"], Attempts.Lines(rounds.Results));
    }

    [Fact]
    public void A_run_that_fails_three_times_has_no_result()
    {
        var rounds = Run([new Probe("a", static (_, _) => FailUnless(false))], "--rounds 2");
        Assert.Equal(["run a"], Attempts.FailedFor(rounds.Results));
        Assert.Equal(["- run a: 6 failed, 2 rounds without a result; the last: lost one"], Attempts.Lines(rounds.Results));
    }

    [Fact]
    public void Lines_say_what_was_measured_by_which_invocation()
    {
        var json = Path.Combine(_root.FullName, "results.jsonl");
        Run([new Probe("a", static (_, _) => { })], "--rounds 1", json);
        var lines = BenchResult.Read(json).ToList();
        Assert.Equal(["c", null], lines.Select(static line => line.Facts?["commit"]));
        Assert.Equal([("i", false), ("i", true)], lines.Select(static line => (line.Invocation, line.IsMeasured)));
    }

    [Fact]
    public void Lines_of_earlier_versions_are_read()
    {
        var json = Path.Combine(_root.FullName, "old.jsonl");
        File.WriteAllText(json, """{"Mode":"caller","Load":"sustained","Library":"no-op","Round":1,"Values":{"nanoseconds":60.5}}""");
        var line = Assert.Single(BenchResult.Read(json));
        Assert.Equal(("", 1, 60.5, true), (line.Invocation, line.Attempt, line.Values["nanoseconds"], line.IsMeasured));
    }

    private static void FailUnless(bool succeeds)
    {
        if (!succeeds)
            throw new InvalidOperationException("lost one");
    }

    private Rounds Run(IReadOnlyList<IRun> plan, string arguments, string? json = null)
    {
        var rounds = new Rounds(_root.FullName, json, Begun);
        rounds.Run(plan, new BenchArguments(arguments.Split(' ')));
        return rounds;
    }

    private sealed class Probe(string library, Action<int, int> body) : IRun
    {
        private int _attempts;

        public string Title => "run " + library;

        public string Library => library;

        public double Seconds => 1;

        public IReadOnlyList<BenchResult> Execute(string directory, int round)
        {
            body(++_attempts, round);
            return [new BenchResult("m", "l", library, round, new Dictionary<string, double> { ["v"] = 1 })];
        }
    }
}
