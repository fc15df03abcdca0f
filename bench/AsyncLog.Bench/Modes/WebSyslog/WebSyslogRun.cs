using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>The application with one library and one receiver.</summary>
/// <param name="Library">The library.</param>
/// <param name="Receiver">What its receiver does; null: it logs nowhere.</param>
/// <param name="Connections">Of wrk.</param>
/// <param name="WarmUpSeconds">Before the measurement.</param>
/// <param name="MeasuredSeconds">Measured.</param>
internal sealed record WebSyslogRun(string Library, ReceiverKind? Receiver, int Connections, int WarmUpSeconds, int MeasuredSeconds) : IRun
{
    private static readonly string[] Load = ["--records", "5", "--work-us", "1000"];
    private static readonly TimeSpan LongestAnswer = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan LongestArrival = TimeSpan.FromSeconds(10);

    public string Title => $"web-syslog {Library}, {WebSyslogMode.LoadOf(Receiver, Connections)}";

    public double Seconds => WarmUpSeconds + MeasuredSeconds + 3;

    public IReadOnlyList<BenchResult> Execute(string directory, int round)
    {
        using var receiver = Receiver is { } kind ? new TcpReceiver(kind) : null;
        using var application = new WebAppProcess(directory, Library, reader: null, [.. Load, .. Arguments(receiver)]);
        var address = application.Address();
        Wrk.Run(address + WebApp.Endpoint, Connections, WarmUpSeconds);
        Begin(address + WebApp.Begin);
        var values = Wrk.Parse(Wrk.Run(address + WebApp.Endpoint, Connections, MeasuredSeconds), mayTimeOut: true);
        // A provider that waits for its socket would never end.
        if (receiver is { TakesEverything: false })
            receiver.Dispose();
        foreach (var (key, value) in application.Stop())
            values[key] = value;
        if (receiver is { TakesEverything: true })
            values[WebMode.Lost.Key] = Lost(receiver, (long)values[WebMode.Logged.Key]);
        return [new BenchResult("web-syslog", WebSyslogMode.LoadOf(Receiver, Connections), Library, round, values)];
    }

    private static IEnumerable<string> Arguments(TcpReceiver? receiver) =>
        receiver is null ? [] : ["--time-calls", "--receiver", receiver.Endpoint.AbsoluteUri];

    // An application whose callers all wait for a receiver answers no request: its times are those of the warm-up too.
    private void Begin(string address)
    {
        using var client = new HttpClient { Timeout = LongestAnswer };
        try
        {
            using var answer = client.Send(new HttpRequestMessage(HttpMethod.Get, address));
            answer.EnsureSuccessStatusCode();
        }
        catch (Exception exception) when (exception is TaskCanceledException or HttpRequestException)
        {
            if (Library != WebSyslogMode.Synchronous)
                throw new InvalidOperationException("the application does not answer: " + exception.Message, exception);
        }
    }

    private static double Lost(TcpReceiver receiver, long logged)
    {
        SpinWait.SpinUntil(() => receiver.Records >= logged, LongestArrival);
        var lost = logged - receiver.Records;
        return lost >= 0 ? lost : throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"{-lost} records came twice"));
    }
}
