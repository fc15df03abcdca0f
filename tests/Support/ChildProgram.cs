using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;

namespace AsyncLog.Tests;

/// <summary>A program that runs beside the test, with everything it prints.</summary>
internal sealed class ChildProgram : IDisposable
{
    // For failing, not for passing: publishing takes minutes on a busy machine.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(15);
    private readonly Process _process;
    private readonly ConcurrentQueue<string> _output = new();
    private readonly ConcurrentQueue<string> _errors = new();

    public ChildProgram(string program, IEnumerable<string> arguments, string folder, params ReadOnlySpan<(string Name, string Value)> environment)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Keep(_output, line.Data);
        _process.ErrorDataReceived += (_, line) => Keep(_errors, line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public IReadOnlyCollection<string> Output => _output;

    public IReadOnlyCollection<string> Errors => _errors;

    public bool HasExited => _process.HasExited;

    /// <summary>Everything it printed until now, for messages of failing tests.</summary>
    public string Printed => string.Join('\n', _output.Concat(_errors));

    /// <summary>A sample, from where it was built.</summary>
    public static ChildProgram OfSample(
        string sample, string assembly, IEnumerable<string> arguments, string folder, params ReadOnlySpan<(string Name, string Value)> environment)
        => new("dotnet", [Path.Combine(Repository.Sample(sample), assembly + ".dll"), .. arguments], folder, environment);

    public int Id => _process.Id;

    /// <summary>Writes a line to its standard input.</summary>
    public void Say(string line) => _process.StandardInput.WriteLine(line);

    public void CloseInput() => _process.StandardInput.Close();

    /// <summary>Sends a signal by its name: <c>TERM</c>, <c>KILL</c>.</summary>
    public void Signal(string signal)
    {
        using var kill = Process.Start("kill", ["-" + signal, _process.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    /// <summary>Waits for its end.</summary>
    /// <param name="within">The deadline; null: none that is the test's concern.</param>
    /// <returns>The exit code.</returns>
    public async Task<int> Ended(TimeSpan? within = null)
    {
        await _process.WaitForExitAsync(TestContext.Current.CancellationToken).WaitAsync(within ?? Patience, TestContext.Current.CancellationToken);
        return _process.ExitCode;
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _process.Dispose();
    }

    private static void Keep(ConcurrentQueue<string> lines, string? line)
    {
        if (line is not null)
            lines.Enqueue(line);
    }
}
