using System.Diagnostics;

namespace AsyncLog.Tests.Modes;

/// <summary>Each mode once with tiny counts, as from the command line: it ends, and every library has its figures.</summary>
[Trait("Category", "slow")]
public sealed class SmokeTests
{
    [Fact]
    public void Caller() => Run("caller", "no-op,asynclog-text,nlog-keep-open,serilog-json,opentelemetry", results: (4 * 3) + 5, "--calls", "500");

    [Fact]
    public void Request() => Run("request", "no-op,asynclog-text,serilog-json", results: 3 * 2, "--requests", "20");

    [Fact]
    public void Saturate() => Run("saturate", "asynclog-text,console-100000", results: 2 * 2 + 2, "--threads", "1,3", "--count", "3000");

    [Fact]
    public void Otlp() => Run("otlp", "asynclog-otlp,opentelemetry-otlp-message,opentelemetry-otlp-message-512", results: 3, "--delays", "1", "--calls", "500", "--count", "3000");

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
