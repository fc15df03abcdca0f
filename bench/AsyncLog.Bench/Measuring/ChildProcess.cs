using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>Runs this program again, with file descriptor 1 going to a file: the console library needs that, and no run sees another's heap.</summary>
internal static class ChildProcess
{
    /// <summary>The name of the file that takes a child's standard output, in the child's directory.</summary>
    public const string StandardOutput = "stdout.log";

    private const int MostErrorText = 64_000;
    private const int MostQuotedText = 400;

    /// <summary>Runs this program as a child, to its end.</summary>
    /// <param name="arguments">Its command line.</param>
    /// <param name="directory">Where its standard output goes.</param>
    /// <param name="serverGc">Whether it runs with server GC.</param>
    /// <exception cref="InvalidOperationException">It ended with an error.</exception>
    public static void Run(IEnumerable<string> arguments, string directory, bool serverGc)
        => RunProgram([.. Self(), .. arguments], directory, serverGc);

    /// <summary>Runs any program to its end.</summary>
    /// <exception cref="InvalidOperationException">It ended with an error.</exception>
    public static void RunProgram(IReadOnlyList<string> command, string directory, bool serverGc = false)
    {
        using var process = Start(command, directory, serverGc);
        var errors = ReadErrors(process.StandardError);
        process.WaitForExit();
        if (process.ExitCode != 0)
            throw new InvalidOperationException($"ended with {process.ExitCode}: {End(errors)}");
    }

    /// <summary>Starts any program, its standard output going to a file of the directory.</summary>
    /// <param name="command">The program and its command line.</param>
    /// <param name="directory">Where its standard output goes.</param>
    /// <param name="serverGc">Whether it runs with server GC.</param>
    public static Process Start(IReadOnlyList<string> command, string directory, bool serverGc)
    {
        var start = new ProcessStartInfo("/bin/sh") { RedirectStandardError = true };
        foreach (var part in (string[])["-c", "exec \"$@\" >>\"$0\"", Path.Combine(directory, StandardOutput), .. command])
            start.ArgumentList.Add(part);
        start.Environment["DOTNET_gcServer"] = serverGc ? "1" : "0";
        return Process.Start(start)!;
    }

    /// <summary>The command that starts this program.</summary>
    public static IEnumerable<string> Self()
    {
        var path = Environment.ProcessPath!;
        return Path.GetFileNameWithoutExtension(path) == "dotnet" ? [path, typeof(ChildProcess).Assembly.Location] : [path];
    }

    // what went wrong stands last
    private static string End(string errors) => errors.Length <= MostQuotedText ? errors : "… " + errors[^MostQuotedText..];

    /// <summary>Reads to the end and keeps the beginning: a peer that prints a stack trace per event must not fill memory.</summary>
    public static string ReadErrors(StreamReader reader)
    {
        var kept = new System.Text.StringBuilder();
        var buffer = new char[4_096];
        int read;
        while ((read = reader.Read(buffer)) > 0)
        {
            if (kept.Length < MostErrorText)
                kept.Append(buffer, 0, read);
        }

        return kept.ToString();
    }
}
