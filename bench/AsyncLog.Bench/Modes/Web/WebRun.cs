using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>One library in the application, one number of connections.</summary>
/// <param name="Library">The library.</param>
/// <param name="Connections">Of wrk.</param>
/// <param name="WarmUpSeconds">Before the measurement.</param>
/// <param name="MeasuredSeconds">Measured.</param>
internal sealed record WebRun(string Library, int Connections, int WarmUpSeconds, int MeasuredSeconds) : IRun
{
    private const int RecordsPerRequest = 10;

    public string Title => string.Create(CultureInfo.InvariantCulture, $"web {Library}, {Connections} connections");

    public double Seconds => WarmUpSeconds + MeasuredSeconds + 2;

    public IReadOnlyList<BenchResult> Execute(string directory, int round)
    {
        using var application = new WebAppProcess(directory, Library, reader: null);
        var values = Measure(application);
        Count(directory, (long)application.Stop()[WebMode.Logged.Key], values);
        return [new BenchResult("web", WebMode.LoadOf(Connections), Library, round, values)];
    }

    /// <summary>Warms up and measures an application: throughput, times, CPU per record.</summary>
    /// <param name="application">Running.</param>
    /// <param name="longestAnswer">Seconds after which an answer is a failure; null: those of wrk.</param>
    public Dictionary<string, double> Measure(WebAppProcess application, int? longestAnswer = null)
    {
        var address = application.Address() + WebApp.Endpoint;
        Wrk.Run(address, Connections, WarmUpSeconds);
        var cpu = application.ProcessorTime();
        var values = Wrk.Parse(Wrk.Run(address, Connections, MeasuredSeconds, longestAnswer));
        cpu = application.ProcessorTime() - cpu;
        values[Figures.CpuPerRecord.Key] = cpu.TotalNanoseconds / (values[Wrk.Requests] * RecordsPerRequest);
        return values;
    }

    // what is in the file must be what was logged, but for what was dropped
    private void Count(string directory, long records, Dictionary<string, double> values)
    {
        using var library = LibraryCatalogue.Create(Library, WebApp.Setup(Library, directory, receiver: null));
        values[WebMode.Logged.Key] = records;
        if (library.Files.Count == 0)
            return;
        var written = WrittenLines.Read(library.Files[0]);
        values[WebMode.Lost.Key] = records - written.Count;
        if (written.Count > records || (written.Count == records && written != WrittenLines.Of(0, records)))
            throw new InvalidOperationException($"{written.Count} lines of {records} records, and not the right ones");
    }
}
