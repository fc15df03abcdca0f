using System.Diagnostics;

namespace AsyncLog.Tests.Modes;

/// <summary>Each mode once with tiny counts, as from the command line: it ends, and every library has its figures.</summary>
[Trait("Category", "slow")]
public sealed class SmokeTests
{
    [Fact]
    public void Caller() => Run("caller", "no-op,asynclog-text,nlog-keep-open,serilog-sync,opentelemetry-default", results: (5 * 5) + (2 * 2) + (4 * 4) + 4, "--calls", "500");

    [Fact]
    public void Request() => Run("request", "no-op,asynclog-text,serilog-json", results: 3 * 2, "--requests", "20");

    [Fact]
    public void Values() => Run("values", "asynclog-text,asynclog-json", results: 2 * ValueStyles.All.Count);

    [Fact]
    public void Cold()
    {
        var found = Run("cold", "no-op,asynclog-text,console-default", results: 3 + 2);
        string[] calls = ["setUp", "firstCall", "calls1000", "calls10000", "calls100000"];
        Assert.Equal([new("first calls", 3), new("first line", 2)], found.CountBy(static result => result.Load));
        foreach (var result in found)
        {
            foreach (var figure in result.Load == "first calls" ? calls : ["firstLine"])
                Assert.True(result.Values[figure] > 0, $"{result.Load}, {result.Library}: {figure}");
        }
    }

    [Fact]
    public void Even() => Run("even", "no-op,asynclog-text,asynclog-stalled", results: 3 + 2, "--rates", "50000", "--seconds", "1");

    [Fact]
    public void Saturate() => Run("saturate", "asynclog-text,console-100000", results: 2 * 2 + 2, "--threads", "1,3", "--count", "3000");

    [Fact]
    public void Saturate_with_a_program_in_C_plus_plus()
    {
        Assert.SkipUnless(IsThere("g++"), "g++ is not installed");
        Run("saturate", "reference", results: 1, "--threads", "2", "--count", "3000");
    }

    [Fact]
    public void Files() => Run("files", "nlog-open-per-message,nlog-keep-open,asynclog-text", results: 3, "--counts", "1000");

    [Fact]
    public void Idle() => Run("idle", "no-op,asynclog-text", results: 3, "--seconds", "1", "--probes", "1");

    [Fact]
    public void Web()
    {
        Assert.SkipUnless(IsThere("wrk"), "wrk is not installed");
        Run("web", "none,asynclog-text", results: 2, "--connections", "10", "--seconds", "1");
    }

    [Fact]
    public void Otlp() => Run("otlp", "asynclog-otlp,opentelemetry-otlp-message,opentelemetry-otlp-message-512", results: 3, "--delays", "1", "--calls", "500", "--count", "3000");

    [Fact]
    public void Udp() => Run("udp", "asynclog-syslog", results: 1, "--count", "3000");

    [Fact]
    public void Udp_with_a_program_in_C()
    {
        Assert.SkipUnless(IsThere("gcc"), "gcc is not installed");
        Run("udp", "sendto", results: 1, "--count", "3000");
    }

    [Fact]
    public void Web_syslog()
    {
        Assert.SkipUnless(IsThere("wrk"), "wrk is not installed");
        Run("web-syslog", "none,asynclog-syslog,syslog-sync", results: 1 + 2 + 1, "--receivers", "healthy,absent", "--connections", "10", "--seconds", "1");
    }

    [Fact]
    public void Console()
    {
        Assert.SkipUnless(IsThere("wrk"), "wrk is not installed");
        Run("console", "console-drop,asynclog-console,asynclog-console-and-file", results: 3 + 2, "--readers", "stopping,never", "--connections", "10", "--seconds", "1");
    }

    [Fact]
    public void Acknowledge() => Run("acknowledge", "asynclog-text", results: 3);

    [Fact]
    public void Requests() => Run("requests", "asynclog-text", results: 2);

    private static bool IsThere(string program) => Environment.GetEnvironmentVariable("PATH")!.Split(':').Any(folder => File.Exists(Path.Combine(folder, program)));

    private static List<BenchResult> Run(string mode, string libraries, int results, params ReadOnlySpan<string> options)
    {
        var json = Path.GetTempFileName();
        try
        {
            string[] arguments = [typeof(BenchArguments).Assembly.Location, mode, "--quick", "--rounds", "1", "--libraries", libraries, "--json", json, .. options];
            using var bench = Process.Start(new ProcessStartInfo("dotnet", arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
            var errors = bench.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
            var output = bench.StandardOutput.ReadToEnd();
            bench.WaitForExit();

            // 1 is a missed gate, and a figure made of so little may well miss it
            Assert.True(bench.ExitCode is 0 or 1, errors.Result);
            List<BenchResult> found = [.. BenchResult.Read(json).Where(result => result.Mode == mode)];
            Check(mode, libraries, results, found, output + errors.Result);
            return found;
        }
        finally
        {
            File.Delete(json);
        }
    }

    private static void Check(string mode, string libraries, int results, List<BenchResult> found, string printed)
    {
        Assert.True(found.Count == results, printed);
        Assert.Equal(libraries.Split(',').Order(StringComparer.Ordinal), found.Select(static result => result.Library).Distinct().Order(StringComparer.Ordinal));
        // Some loads of a mode have figures of their own.
        var figures = ModeCatalogue.Find(mode)!.Figures;
        Assert.All(found, result => Assert.True(result.Values[figures.First(figure => result.Values.ContainsKey(figure.Key)).Key] > 0));
        Assert.All(found, result => Assert.Contains($"| {result.Load} ", printed, StringComparison.Ordinal));
    }
}
