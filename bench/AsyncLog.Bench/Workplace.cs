using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>The folder that the log files of all runs go to, and what is to know of the machine below it.</summary>
internal sealed class Workplace : IDisposable
{
    public Workplace(BenchArguments arguments)
    {
        var name = "asynclog-bench-" + Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        Root = Path.Combine(arguments.Text("directory", Path.GetTempPath()), name);
        Directory.CreateDirectory(Root);
        Machine = Bench.Machine.Describe(Root, arguments.Has("server-gc"));
        Sanity = Bench.Sanity.Measure(Root);
    }

    public string Root { get; }

    /// <summary>On what the numbers were made.</summary>
    public string Machine { get; }

    /// <summary>Costs everybody pays.</summary>
    public string Sanity { get; }

    public void Dispose() => Directory.Delete(Root, recursive: true);
}
