using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>The report as Markdown: machine, versions, gates, one chapter per mode, and the notes that somebody wrote at its end.</summary>
internal sealed class ReportDocument
{
    private const string NotesHeading = "## Notes";

    private readonly Rounds _rounds;
    private readonly Workplace _place;
    private readonly string _rawFile;
    private readonly List<(IMode Mode, ModeReport Report)> _chapters;

    public ReportDocument(IReadOnlyList<IMode> modes, Rounds rounds, Workplace place, string rawFile)
    {
        _rounds = rounds;
        _place = place;
        _rawFile = rawFile;
        _chapters = [.. modes.Select(mode => (mode, new ModeReport(mode, rounds.Results)))];
    }

    public bool IsGood => _rounds.Failures.Count == 0 && !Outcomes.Any(static outcome => outcome.Verdict == GateVerdict.Missed);

    /// <summary>The gates that do not hold, one line each.</summary>
    public IEnumerable<string> Missed => Outcomes.Where(static outcome => outcome.Verdict == GateVerdict.Missed).Select(static outcome => string.Create(
        CultureInfo.InvariantCulture,
        $"MISSED {outcome.Gate.Mode}, {outcome.Gate.Load}: {outcome.Gate.Figure.Heading} of {outcome.Gate.Library} against {outcome.Peer}: {outcome.Values.Median:0.###} (must {outcome.Gate.Must:0.###})"));

    private IEnumerable<GateOutcome> Outcomes => _chapters.SelectMany(static chapter => chapter.Report.Outcomes);

    /// <summary>What stands below the heading of the notes in an earlier report: it is kept.</summary>
    public static IReadOnlyList<string> NotesOf(string path)
        => File.Exists(path) ? [.. File.ReadLines(path).SkipWhile(static line => line != NotesHeading).Skip(1)] : [];

    public IEnumerable<string> Lines(IReadOnlyList<string> notes) =>
    [
        "# Performance report",
        "",
        "Written by `dotnet run -c Release --project bench/AsyncLog.Bench -- report`; only the notes at the end are by hand. The runs of one invocation are interleaved: one process per run, one round after the other; "
        + "a cell is the median of the rounds, ratios and differences are made within a round. A run that lost or doubled a record is no result.",
        "",
        .. Setting(),
        .. GateChapter(),
        .. _chapters.SelectMany(chapter => Chapter(chapter.Mode, chapter.Report)),
        .. Failures(),
        NotesHeading,
        .. notes.Count == 0 ? [""] : notes,
    ];

    private IEnumerable<string> Chapter(IMode mode, ModeReport report) =>
    [
        "## " + mode.Name, "", mode.Method, "", string.Create(CultureInfo.InvariantCulture, $"Rounds: {RoundsOf(mode)}."), "", .. report.Table(), "", .. report.GateTable(), "",
    ];

    private int RoundsOf(IMode mode) => _rounds.Results.Where(result => result.Mode == mode.Name).Select(static result => result.Round).DefaultIfEmpty().Max();

    private IEnumerable<string> Setting() =>
    [
        "## Machine", "", _place.Machine, "", _place.Sanity, "",
        $"raw numbers: [{_rawFile}]({_rawFile})", "",
        "versions: " + string.Join(", ", Versions.All()), "",
        "Not here because no package is available: ZLogger, ZeroLog, XenoAtom.Logging, log4net, quill.", "",
    ];

    private IEnumerable<string> GateChapter()
    {
        var counts = Outcomes.ToLookup(static outcome => outcome.Verdict);
        return
        [
            "## Gates", "",
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Outcomes.Count()} measured: {counts[GateVerdict.Goal].Count()} reach their goal, {counts[GateVerdict.Ok].Count()} more hold, {counts[GateVerdict.Missed].Count()} are missed. Per gate, the best configuration of the peer counts."),
            "", .. Missed.Select(static line => "- " + line), "",
        ];
    }

    private IEnumerable<string> Failures()
        => _rounds.Failures.Count == 0 ? [] : ["## Runs without a result", "", .. _rounds.Failures.Select(static failure => "- " + failure.ReplaceLineEndings(" ")), ""];
}
