using System.Diagnostics;
using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>The HTTP load generator wrk, and what it prints.</summary>
internal static class Wrk
{
    private const int Threads = 2;
    /// <summary>How many requests were answered.</summary>
    public const string Requests = "requests";

    private const string OnlyTimeouts = "Socket errors: connect 0, read 0, write 0, timeout ";

    public static bool IsInstalled => Environment.GetEnvironmentVariable("PATH")!.Split(':').Any(static folder => File.Exists(Path.Combine(folder, "wrk")));

    /// <summary>Loads an address.</summary>
    /// <param name="address">The address.</param>
    /// <param name="connections">How many.</param>
    /// <param name="seconds">How long.</param>
    /// <param name="longestAnswer">Seconds after which an answer counts as none, and is in no percentile; null: two.</param>
    /// <returns>What it printed.</returns>
    public static string Run(string address, int connections, int seconds, int? longestAnswer = null)
    {
        string[] arguments =
        [
            "--latency", "-t", Threads.ToString(CultureInfo.InvariantCulture), "-c", connections.ToString(CultureInfo.InvariantCulture),
            "-d", seconds.ToString(CultureInfo.InvariantCulture) + "s",
            .. longestAnswer is { } most ? ["--timeout", most.ToString(CultureInfo.InvariantCulture) + "s"] : Array.Empty<string>(),
            address,
        ];
        using var process = Process.Start(new ProcessStartInfo("wrk", arguments) { RedirectStandardOutput = true })!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0 ? output : throw new InvalidOperationException("wrk: " + output);
    }

    /// <summary>Throughput, median and 99th percentile.</summary>
    /// <param name="output">What wrk printed.</param>
    /// <param name="mayTimeOut">Whether requests may have had no answer in time: then they are a figure.</param>
    /// <exception cref="InvalidOperationException">Requests failed, or the output is not wrk's.</exception>
    public static Dictionary<string, double> Parse(string output, bool mayTimeOut = false)
    {
        var lines = output.Split('\n').Select(static line => line.Trim()).ToList();
        var timedOut = 0.0;
        foreach (var failed in lines.Where(static line => line.StartsWith("Non-2xx", StringComparison.Ordinal) || line.StartsWith("Socket errors", StringComparison.Ordinal)))
            timedOut += mayTimeOut && failed.StartsWith(OnlyTimeouts, StringComparison.Ordinal) ? double.Parse(failed[OnlyTimeouts.Length..], CultureInfo.InvariantCulture) : throw new InvalidOperationException("wrk: " + failed);
        return new Dictionary<string, double>
        {
            [WebSyslogMode.TimedOut.Key] = timedOut,
            [Requests] = double.Parse((lines.Find(static line => line.Contains(" requests in ", StringComparison.Ordinal)) ?? throw new InvalidOperationException("wrk printed no number of requests")).Split(' ')[0], CultureInfo.InvariantCulture),
            [WebMode.RequestsPerSecond.Key] = double.Parse(After(lines, "Requests/sec:"), CultureInfo.InvariantCulture),
            [WebMode.P50.Key] = Nanoseconds(After(lines, "50%")),
            [WebMode.P99.Key] = Nanoseconds(After(lines, "99%")),
        };
    }

    private static string After(List<string> lines, string start)
        => lines.Find(line => line.StartsWith(start, StringComparison.Ordinal))?[start.Length..].Trim() ?? throw new InvalidOperationException($"wrk printed no '{start}'");

    // 636.00us, 1.23ms, 1.05s
    private static double Nanoseconds(string text)
    {
        var digits = text.TrimEnd('s', 'u', 'm');
        return double.Parse(digits, CultureInfo.InvariantCulture) * text[digits.Length..] switch
        {
            "us" => 1e3,
            "ms" => 1e6,
            "s" => 1e9,
            var unit => throw new InvalidOperationException($"wrk printed a time in '{unit}'"),
        };
    }
}
