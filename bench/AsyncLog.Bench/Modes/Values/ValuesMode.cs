using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>values</c>: what a value of each type costs in the message, and in JSON also as a property.</summary>
internal sealed class ValuesMode : IMode
{
    public static readonly Figure Nanoseconds = new("nanoseconds", "ns per call", "F1");
    public static readonly Figure More = new("more", "ns more than an int", "F1") { HasRange = true };

    private const string Text = "asynclog-text";
    private const double Must = 30;
    private const double Goal = 20;

    public string Name => "values";

    public MethodText Method { get; } = new MethodText().Always(
        "One thread logs an order number and one value without a format: each type in turn, 10,000 calls at full speed, then everything is written. A figure is that of the fastest turn. "
        + "The values of a call change. *ns more than an int* is the difference from the calls whose value is an `int`.");

    public IReadOnlyList<Figure> Figures { get; } = [Nanoseconds, More];

    public IReadOnlyList<Gate> Gates { get; } =
        [.. ValueStyles.Judged.Select(static style => new Gate { Mode = "values", Load = style.Name, Figure = More, Library = Text, Kind = GateKind.Value, Must = Must, Goal = Goal })];

    public IReadOnlyList<IRun> Plan(BenchArguments arguments) =>
    [
        .. arguments.Choose(arguments.Has("gates") ? [Text] : [Text, "asynclog-json"]).Select(library => new ChildRun(
            ValuesRun.Command, library, ["--turns", arguments.Number("turns", arguments.Quick(40, 2)).ToString(CultureInfo.InvariantCulture)], arguments, Seconds: 25)),
    ];
}
