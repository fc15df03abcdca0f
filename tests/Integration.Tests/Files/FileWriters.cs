using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;

namespace AsyncLog.Tests.Files;

/// <summary>Several processes of tests/Programs/FileWriter that write one file.</summary>
internal sealed class FileWriters : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(8);
    private readonly TempFolder _folder = new();
    private readonly List<ChildProgram> _writers = [];

    /// <summary>The folder of the shared file.</summary>
    public string Folder => _folder.File("logs");

    public IReadOnlyList<ChildProgram> Writers => _writers;

    public string Printed => string.Join('\n', _writers.Select(static writer => writer.Printed));

    /// <summary>The path of the shared file.</summary>
    public string Path => System.IO.Path.Combine(Folder, "shared.log");

    /// <summary>The path under which the only writer creates the next file, for <see cref="AddFaulty"/>.</summary>
    public string Successor => System.IO.Path.Combine(Folder, ".shared.log.$$.tmp");

    /// <summary>How many calls of <see cref="AddFaulty"/> have gone wrong.</summary>
    public int Faults => File.ReadLines(Trace)
        .Count(static call => call.Contains("(INJECTED)", StringComparison.Ordinal) || call.Contains("(DELAYED)", StringComparison.Ordinal));

    private string Trace => _folder.File("trace");

    /// <param name="writer">How the writer's records begin.</param>
    /// <param name="records">How many; 0: until the end.</param>
    /// <param name="options">As <c>FileSizeLimit=1MB</c>.</param>
    public ChildProgram Add(string writer, int records, params ReadOnlySpan<string> options)
    {
        var program = new ChildProgram("dotnet", Arguments(writer, records, options), _folder.Path);
        _writers.Add(program);
        return program;
    }

    /// <summary>Adds one whose system calls go wrong; skips the test where that cannot be done.</summary>
    /// <param name="path">The calls with this path; <c>$$</c> is the writer's process.</param>
    /// <param name="fault">What goes wrong, as strace takes it: <c>write:error=EIO</c>.</param>
    /// <param name="writer">How the writer's records begin.</param>
    /// <param name="records">How many; 0: until the end.</param>
    /// <param name="options">As <c>FileSizeLimit=1MB</c>.</param>
    public ChildProgram AddFaulty(string path, string fault, string writer, int records, params ReadOnlySpan<string> options)
    {
        Assert.SkipUnless(CanTrace(), "strace is missing or may not trace");

        // The traced process keeps the identity of the shell, so that names made of it are known before.
        var command = $"exec strace -D -f -qqq -o \"{Trace}\" -P \"{path}\" -e trace={fault[..fault.IndexOf(':')]} -e inject={fault} dotnet \"$@\"";
        var program = new ChildProgram("/bin/sh", ["-c", command, "sh", .. Arguments(writer, records, options)], _folder.Path, ("FLUSH_SECONDS", "1"));
        _writers.Add(program);
        return program;
    }

    /// <summary>Lets all begin at once.</summary>
    public async Task Begin()
    {
        await Eventually.Holds(() => _writers.TrueForAll(static writer => writer.Output.Contains("ready")), () => "they do not start: " + Printed);
        _writers.ForEach(static writer => writer.Say("go"));
    }

    /// <summary>Waits until all who live have written everything.</summary>
    public Task Written() => Eventually.Holds(
        () => _writers.TrueForAll(static writer => writer.HasExited || writer.Output.Any(static line => line.StartsWith("written: ", StringComparison.Ordinal))),
        () => "they do not come to an end: " + Printed,
        Patience);

    /// <summary>Lets all end who live.</summary>
    public void End() => _writers.FindAll(static writer => !writer.HasExited).ForEach(static writer => writer.Say("end"));

    private string[] Arguments(string writer, int records, ReadOnlySpan<string> options) =>
    [
        System.IO.Path.Combine(Repository.TestProgram("FileWriter"), "FileWriter.dll"), writer, records.ToString(CultureInfo.InvariantCulture), Folder, .. options,
    ];

    private static bool CanTrace()
    {
        try
        {
            using var trial = Process.Start(new ProcessStartInfo("strace", ["-o", "/dev/null", "true"]) { RedirectStandardError = true })!;
            trial.WaitForExit();
            return trial.ExitCode == 0;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }

    public void Dispose()
    {
        _writers.ForEach(static writer => writer.Dispose());
        _folder.Dispose();
    }
}
