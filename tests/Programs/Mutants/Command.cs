using System.Diagnostics;
using System.Runtime.InteropServices;

namespace AsyncLog.Mutants;

/// <summary>Programs that this one starts.</summary>
internal static class Command
{
    /// <summary>The dotnet that runs this program.</summary>
    public static string Dotnet { get; } = Path.GetFullPath(
        Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet"));

    /// <summary>Runs a program to its end.</summary>
    /// <param name="seconds">
    /// After this time the program and its children are killed. Only time in which this program runs too counts, so that a machine that sleeps is no hang.
    /// </param>
    /// <returns>The exit code and what it wrote to standard output; no exit code: it was killed.</returns>
    public static (int? ExitCode, string Output) Run(
        string program, IEnumerable<string> arguments, string folder, double seconds, IReadOnlyDictionary<string, string>? environment = null)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var (name, value) in environment ?? new Dictionary<string, string>())
            start.Environment[name] = value;
        using var process = Process.Start(start)!;
        process.StandardInput.Close();
        var output = process.StandardOutput.ReadToEndAsync();
        _ = process.StandardError.ReadToEndAsync();
        for (var step = 0; step < seconds * 10; step++)
        {
            if (process.WaitForExit(100))
            {
                // A child that lives on would keep the output open.
                return (process.ExitCode, output.Wait(TimeSpan.FromSeconds(5)) ? output.Result : "");
            }
        }

        process.Kill(entireProcessTree: true);
        process.WaitForExit(10_000);
        return (null, "");
    }
}
