using System.Diagnostics;
using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>The application under load, in a process of its own, with server GC as the web SDK sets it.</summary>
internal sealed class WebAppProcess : IDisposable
{
    private static readonly TimeSpan LongestStart = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan LongestStop = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan UsualStop = TimeSpan.FromSeconds(5);

    private readonly Process _process;
    private readonly Task<string> _errors;
    private readonly string _directory;
    private readonly OutputReader? _output;

    /// <param name="directory">Its folder.</param>
    /// <param name="library">What it logs with.</param>
    /// <param name="reader">What reads its standard output from a pipe; null: it goes to a file.</param>
    /// <param name="arguments">More of its command line.</param>
    public WebAppProcess(string directory, string library, OutputReaderKind? reader, params IEnumerable<string> arguments)
    {
        _directory = directory;
        _process = ChildProcess.Start([.. ChildProcess.Self(), WebApp.Command, "--library", library, "--directory", directory, .. arguments], directory, serverGc: true, hasPipe: reader is not null);
        _errors = Task.Run(() => ChildProcess.ReadErrors(_process.StandardError));
        _output = reader is { } kind ? new OutputReader(_process.StandardOutput.BaseStream, kind) : null;
    }

    /// <summary>Where it listens, once it does.</summary>
    /// <exception cref="InvalidOperationException">It did not start.</exception>
    public string Address()
    {
        var path = Path.Combine(_directory, WebApp.AddressFile);
        if (!SpinWait.SpinUntil(() => File.Exists(path) || _process.HasExited, LongestStart) || _process.HasExited)
            throw new InvalidOperationException("the application did not start " + Errors());
        return File.ReadAllText(path);
    }

    /// <summary>User and system, so far.</summary>
    public TimeSpan ProcessorTime()
    {
        _process.Refresh();
        return _process.TotalProcessorTime;
    }

    /// <summary>Asks it to end, and waits.</summary>
    /// <returns>What it says about itself: figures by their key.</returns>
    /// <exception cref="InvalidOperationException">It did not stop.</exception>
    public Dictionary<string, double> Stop()
    {
        using var kill = Process.Start("kill", ["-TERM", _process.Id.ToString(CultureInfo.InvariantCulture)]);
        // A provider that waits for the reader would never end.
        if (_output is not null && !_process.WaitForExit(UsualStop))
            _output.ReadOn();
        if (!_process.WaitForExit(LongestStop) || _process.ExitCode != 0)
            throw new InvalidOperationException("the application did not stop " + Errors());
        return File.ReadLines(Path.Combine(_directory, WebApp.FiguresFile))
            .Select(static line => line.Split(' '))
            .ToDictionary(static parts => parts[0], static parts => double.Parse(parts[1], CultureInfo.InvariantCulture), StringComparer.Ordinal);
    }

    /// <summary>The lines of its standard output, all of them, once it has stopped.</summary>
    public long OutputLines() => _output!.ReadToEnd();

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _output?.Dispose();
        _process.Dispose();
    }

    private string Errors()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        return _errors.GetAwaiter().GetResult();
    }
}
