using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>A run of one of the programs of bench/native: they print one <c>key value</c> per line, among them what the file must hold.</summary>
/// <param name="Peers">The programs.</param>
/// <param name="Library">Which, and how it is set up.</param>
/// <param name="Arguments">The load, for the program.</param>
/// <param name="Mode">The mode of the result.</param>
/// <param name="Load">The load of the result.</param>
/// <param name="Figures">What was printed to figures.</param>
/// <param name="Seconds">About how long it takes.</param>
internal sealed record NativeRun(
    NativePeers Peers,
    string Library,
    IReadOnlyList<string> Arguments,
    string Mode,
    string Load,
    Func<IReadOnlyDictionary<string, double>, Dictionary<string, double>> Figures,
    double Seconds) : IRun
{
    public string Title => $"{Mode} {Library}, {Load}";

    public IReadOnlyList<BenchResult> Execute(string directory, int round)
    {
        var file = Path.Combine(directory, "native.log");
        var printed = Execute([.. Peers.Command(Library, file), .. Arguments, "--file", file], directory);
        WrittenLines.Verify(file, new WrittenLines((long)printed["lines"], (long)printed["sum"]));
        return [new BenchResult(Mode, Load, Library, round, Figures(printed))];
    }

    /// <summary>Runs such a program to its end.</summary>
    /// <returns>What it printed.</returns>
    public static Dictionary<string, double> Execute(IReadOnlyList<string> command, string directory)
    {
        ChildProcess.RunProgram(command, directory);
        return File.ReadLines(Path.Combine(directory, ChildProcess.StandardOutput))
            .Select(static line => line.Split(' '))
            .Where(static parts => parts.Length == 2)
            .ToDictionary(static parts => parts[0], static parts => double.Parse(parts[1], CultureInfo.InvariantCulture), StringComparer.Ordinal);
    }
}
