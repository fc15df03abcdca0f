using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>The report as Markdown: what it was measured on, gates, one chapter per mode, attempts that failed, and the notes written by hand at its end.</summary>
internal sealed class ReportDocument
{
    private const string NotesHeading = "## Notes";

    private readonly IReadOnlyList<BenchResult> _results;
    private readonly List<(IMode Mode, ModeReport Report)> _chapters;

    /// <param name="modes">The chapters; a mode without results is left out.</param>
    /// <param name="results">Of one or several invocations.</param>
    public ReportDocument(IReadOnlyList<IMode> modes, IReadOnlyList<BenchResult> results)
    {
        _results = results;
        List<IMode> measured = [.. modes.Prepend(new SanityMode()).DistinctBy(static mode => mode.Name).Where(mode => results.Any(result => result.Mode == mode.Name && result.IsMeasured))];
        _chapters = [.. measured.Select(mode => (mode, new ModeReport(mode, results)))];
    }

    public IReadOnlyList<GateOutcome> Outcomes => [.. _chapters.SelectMany(static chapter => chapter.Report.Outcomes)];

    public bool IsGood => !Attempts.FailedFor(_results).Any() && Outcomes.All(static outcome => outcome.Verdict != GateVerdict.Missed);

    /// <summary>The gates that do not hold, one line each.</summary>
    public IEnumerable<string> Missed => Outcomes.Where(static outcome => outcome.Verdict == GateVerdict.Missed).Select(static outcome => string.Create(
        CultureInfo.InvariantCulture,
        $"MISSED {outcome.Gate.Subject}: {outcome.Values.ToString("0.###")}, must be {(outcome.Gate.AtLeast ? "≥" : "≤")} {outcome.Gate.Must:0.###}"));

    /// <summary>What stands below the heading of the notes in an earlier report: it is kept.</summary>
    public static IReadOnlyList<string> NotesOf(string path)
        => File.Exists(path) ? [.. File.ReadLines(path).SkipWhile(static line => line != NotesHeading).Skip(1)] : [];

    /// <summary>For a terminal: tables and gates.</summary>
    public IEnumerable<string> Summary() => [.. Invocations(), .. _chapters.SelectMany(static chapter => (IEnumerable<string>)[.. chapter.Report.Table(), "", .. chapter.Report.GateTable(), ""]), .. FailedAttempts()];

    /// <param name="rawFile">The name of the file with the results.</param>
    /// <param name="notes">The last chapter.</param>
    public IEnumerable<string> Lines(string rawFile, IReadOnlyList<string> notes) =>
    [
        "# Performance: all tables",
        "",
        "[performance.md](performance.md) is the summary. `dotnet run -c Release --project bench/AsyncLog.Bench -- report` writes this file; only the notes at the end are written by hand. "
        + "The runs of an invocation are interleaved: each run is a process, each round runs all libraries in turn, and every second round runs them in reverse order. A cell is the median of the rounds. "
        + "Ratios and differences are computed within a round, and a gate is judged by their median. A run that lost or duplicated a record where nothing may be lost does not count. It is repeated, at most twice, and listed under *Attempts that failed*.",
        "",
        "AsyncLog runs without its startup report, gap notices, rolling and retention. It runs the ReadyToRun code of its packages; the packages of NLog, Serilog, ZLogger and OpenTelemetry contain none. "
        + "The other libraries run in fast configurations, with the queue length in their name, and in their default configuration (`-default`). "
        + "The .NET libraries write the same lines, byte for byte, except for the time; the .NET console has its own layout. "
        + "A record has an int, two strings and a double without a format, whose last digit is odd, so that it has three decimals in every library. "
        + "Not measured: log4net.",
        "",
        "## Measured on",
        "",
        .. Invocations(),
        $"Raw numbers: [{rawFile}]({rawFile}).",
        "",
        .. GateChapter(),
        .. _chapters.SelectMany(static chapter => Chapter(chapter.Mode, chapter.Report)),
        .. FailedAttempts(),
        NotesHeading,
        .. notes.Count == 0 ? [""] : notes,
    ];

    private static IEnumerable<string> Chapter(IMode mode, ModeReport report) =>
    [
        "## " + mode.Name, "", report.Method, "", $"Rounds: {report.Rounds}. Invocation: {string.Join(", ", report.Invocations.DefaultIfEmpty("unknown"))}.", "", .. report.Table(), "", .. report.Chart(), .. report.GateTable(), "",
    ];

    private IEnumerable<string> Invocations() => _results
        .Where(static result => result.Facts is not null)
        .SelectMany(static invocation => (IEnumerable<string>)[$"Invocation {invocation.Invocation}:", "", .. invocation.Facts!.Where(static fact => fact.Value.Length > 0).Select(static fact => $"- {fact.Key}: {fact.Value}"), ""]);

    private IEnumerable<string> GateChapter()
    {
        var counts = Outcomes.ToLookup(static outcome => outcome.Verdict);
        return
        [
            "## Gates", "",
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Outcomes.Count} measured: {counts[GateVerdict.Goal].Count()} reach their goal, {counts[GateVerdict.Ok].Count()} more hold, {counts[GateVerdict.Missed].Count()} are missed. Per gate, the best configuration of the peer counts."),
            "", .. Missed.Select(static line => "- " + line), "",
        ];
    }

    private IEnumerable<string> FailedAttempts()
    {
        var failed = Attempts.Lines(_results).ToList();
        return failed.Count == 0 ? ["No attempt failed.", ""] : ["## Attempts that failed", "", .. failed, ""];
    }
}
