using System.Diagnostics;
using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>One library in the application, one number of connections.</summary>
internal sealed record WebRun(string Library, int Connections, int Seconds) : IRun
{
    private const int WarmUpSeconds = 3;
    private static readonly TimeSpan LongestStart = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan LongestStop = TimeSpan.FromMinutes(2);

    public string Title => string.Create(CultureInfo.InvariantCulture, $"web {Library}, {Connections} connections");

    public IReadOnlyList<BenchResult> Execute(string directory, int round)
    {
        using var application = ChildProcess.Start([.. ChildProcess.Self(), WebApp.Command, "--library", Library, "--directory", directory], directory, serverGc: true);
        var errors = Task.Run(() => ChildProcess.ReadErrors(application.StandardError));
        try
        {
            var address = Address(application, directory);
            Wrk.Run(address, Connections, WarmUpSeconds);
            var values = Wrk.Parse(Wrk.Run(address, Connections, Seconds));
            Stop(application);
            Count(directory, values);
            return [new BenchResult("web", WebMode.LoadOf(Connections), Library, round, values)];
        }
        catch (InvalidOperationException exception)
        {
            application.Kill(entireProcessTree: true);
            throw new InvalidOperationException($"{exception.Message} {errors.GetAwaiter().GetResult()}", exception);
        }
    }

    // the application writes where it listens
    private static string Address(Process application, string directory)
    {
        var path = Path.Combine(directory, WebApp.AddressFile);
        if (!SpinWait.SpinUntil(() => File.Exists(path) || application.HasExited, LongestStart) || application.HasExited)
            throw new InvalidOperationException("the application did not start");
        return File.ReadAllText(path) + WebApp.Endpoint;
    }

    private static void Stop(Process application)
    {
        using var kill = Process.Start("kill", ["-TERM", application.Id.ToString(CultureInfo.InvariantCulture)]);
        if (!application.WaitForExit(LongestStop) || application.ExitCode != 0)
            throw new InvalidOperationException("the application did not stop");
    }

    // what is in the file must be what was logged, but for what was dropped
    private void Count(string directory, Dictionary<string, double> values)
    {
        var records = long.Parse(File.ReadAllText(Path.Combine(directory, WebApp.RecordsFile)), CultureInfo.InvariantCulture);
        using var library = LibraryCatalogue.Create(Library, WebApp.Setup(Library, directory));
        values[WebMode.Logged.Key] = records;
        if (library.Files.Count == 0)
            return;
        var written = WrittenLines.Read(library.Files[0]);
        values[WebMode.Lost.Key] = records - written.Count;
        if (written.Count > records || (written.Count == records && written != WrittenLines.Of(0, records)))
            throw new InvalidOperationException($"{written.Count} lines of {records} records, and not the right ones");
    }
}
