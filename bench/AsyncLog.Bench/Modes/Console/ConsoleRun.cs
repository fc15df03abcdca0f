using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>The application of mode <c>web</c> with one library that writes to standard output, a pipe, and one reader of it.</summary>
/// <param name="Web">The library and the load.</param>
/// <param name="Reader">How the pipe is read.</param>
internal sealed record ConsoleRun(WebRun Web, OutputReaderKind Reader) : IRun
{
    public string Title => $"console {Library}, {ConsoleMode.LoadOf(Reader, Web.Connections)}";

    public string Library => Web.Library;

    // a provider that waits for its reader is given some seconds to end
    public double Seconds => Web.Seconds + (Reader == OutputReaderKind.Never ? 4 : 0);

    public IReadOnlyList<BenchResult> Execute(string directory, int round)
    {
        using var application = new WebAppProcess(directory, Library, Reader);
        // an answer may take as long as the measurement
        var values = Web.Measure(application, longestAnswer: Web.MeasuredSeconds);
        if (values[Wrk.Requests] == 0)
            Array.ForEach([WebMode.P50.Key, WebMode.P99.Key, Figures.CpuPerRecord.Key], key => values.Remove(key));
        var found = application.Stop();
        Count(found, application.OutputLines(), values);
        CountFile(directory, found, values);
        return [new BenchResult("console", ConsoleMode.LoadOf(Reader, Web.Connections), Library, round, values)];
    }

    // AsyncLog's own count must be that of the lines; the other libraries have none
    private void Count(Dictionary<string, double> found, long lines, Dictionary<string, double> values)
    {
        var logged = (long)found[WebMode.Logged.Key];
        values[WebMode.Logged.Key] = logged;
        if (Library == ConsoleMode.Nothing)
            return;
        values[ConsoleMode.Written.Key] = lines;
        values[WebMode.Lost.Key] = logged - lines;
        if (lines > logged)
            throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"{lines} lines of {logged} records"));
        if (!ConsoleMode.IsOurs(Library))
            return;
        var counters = SinkCounters.Read(found, AsyncLogConsoleLibrary.Instance);
        counters.Verify(AsyncLogConsoleLibrary.Instance, logged, lines);
        values[ConsoleMode.Counted.Key] = counters.Dropped;
    }

    // the console of Microsoft.Extensions.Logging names the file that its output would go to without the pipe
    private void CountFile(string directory, Dictionary<string, double> found, Dictionary<string, double> values)
    {
        using var library = LibraryCatalogue.Create(Library, WebApp.Setup(Library, directory, receiver: null));
        if (library.Files.FirstOrDefault(File.Exists) is not { } file)
            return;
        var logged = (long)found[WebMode.Logged.Key];
        var lines = WrittenLines.Read(file).Count;
        values[ConsoleMode.LostInFile.Key] = logged - lines;
        if (ConsoleMode.IsOurs(Library))
            SinkCounters.Read(found, AsyncLogLibrary.FirstInstance).Verify(AsyncLogLibrary.FirstInstance, logged, lines);
        if (lines > logged)
            throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"{lines} lines of {logged} records"));
    }
}
