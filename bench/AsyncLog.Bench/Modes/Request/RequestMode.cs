using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>request</c>: what the records of a request cost, the first one and later ones.</summary>
internal sealed class RequestMode : IMode
{
    public const string Inside = "request";
    public const string Outside = "outside";

    public const int Rate = 50_000;

    public static readonly Figure Later = new("later", "later record, ns", "F0") { HasRange = true };
    public static readonly Figure First = new("first", "first record, ns", "F0") { HasRange = true };
    public static readonly Figure Hopped = new("hopped", "after a change of thread, ns", "F0");
    public static readonly Figure Ten = new("ten", "ten records, ns", "F0") { HasRange = true };
    public static readonly Figure Bytes = new("bytes", "bytes per later record", "F2");

    private static readonly string[] Text = ["asynclog-text", "nlog-100000", "serilog-100000", "console-100000"];
    private static readonly string[] Json = ["asynclog-json", "nlog-json", "serilog-json", "console-json", "zlogger-json"];

    public string Name => "request";

    public MethodText Method { get; } =
        new MethodText().Always("Ten records of four values in a request of ASP.NET Core: an activity, the scopes of connection, hosting and activity, and a scope of the application with a template of two values. *outside*: the same calls without a request, in turn with the requests. "
        + "The thread changes before the fifth and the eighth record. Requests come at 5,000/s. *later record* is the median of the records that are not the first on their thread. Each time contains one look at the clock. *ten records* is the median of the sums. The bytes are those of the calling thread, of records 5 to 10: Microsoft.Extensions.Logging makes its scope of the activity at the first record.")
        .Where(Text, "Lines of text have the scopes, too.")
        .Where(Json, "JSON has the values, the ids and the scopes.")
        .Where(["opentelemetry"], "`opentelemetry` has an exporter that only counts and `IncludeScopes`.")
        .Always(WarmUp.Method);

    public IReadOnlyList<Figure> Figures { get; } = [Later, First, Hopped, Ten, Bytes, WarmUp.Calls];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        Gate(Text[0], Later, 1.2),
        Gate(Json[0], Later, 1.3),
        Gate(Text[0], Ten, 2.5),
        Gate(Json[0], Ten, 2.5),
        Gate(Text[0], Bytes, 0) with { Peers = [], PeerLoad = null, Kind = GateKind.Value },
        Gate(Json[0], Bytes, 0) with { Peers = [], PeerLoad = null, Kind = GateKind.Value },
    ];

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var requests = arguments.Number("requests", arguments.Quick(10_000, 200));
        string[] options = ["--requests", requests.ToString(CultureInfo.InvariantCulture)];
        return
        [
            .. arguments.Choose(["no-op", .. Text, .. Json, "opentelemetry"])
                .Select(library => new ChildRun(RequestRun.Command, library, options, arguments, WarmUp.Seconds(styles: 1) + 2.0 * requests * ServiceLoad.Group / Rate + 1)),
        ];
    }

    private static Gate Gate(string library, Figure figure, double must)
        => new() { Mode = "request", Load = Inside, Figure = figure, Library = library, Peers = [library], PeerLoad = Outside, Must = must, Goal = must };
}
