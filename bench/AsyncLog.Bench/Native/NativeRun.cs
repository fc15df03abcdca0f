using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>A run of one of the programs of bench/native in mode <c>saturate</c>: they print one <c>key value</c> per line, among them what the file must hold.</summary>
internal sealed record NativeRun(NativePeers Peers, string Library, int Threads, int Count) : IRun
{
    public string Title => string.Create(CultureInfo.InvariantCulture, $"{Library}, {Threads} threads");

    public IReadOnlyList<BenchResult> Execute(string directory, int round)
    {
        var file = Path.Combine(directory, "native.log");
        ChildProcess.RunProgram(
            [
                .. Peers.Command(Library, file), "--threads", Threads.ToString(CultureInfo.InvariantCulture),
                "--count", Count.ToString(CultureInfo.InvariantCulture), "--file", file,
            ],
            directory);
        var printed = File.ReadLines(Path.Combine(directory, ChildProcess.StandardOutput))
            .Select(static line => line.Split(' '))
            .Where(static parts => parts.Length == 2)
            .ToDictionary(static parts => parts[0], static parts => double.Parse(parts[1], CultureInfo.InvariantCulture), StringComparer.Ordinal);
        WrittenLines.Verify(file, new WrittenLines((long)printed["lines"], (long)printed["sum"]));
        var values = new Dictionary<string, double>
        {
            [Figures.RecordsPerSecond.Key] = printed["records"] / printed["seconds"],
            [Figures.CpuPerRecord.Key] = printed["cpuSeconds"] * 1e9 / printed["records"],
            [Figures.Seconds.Key] = printed["seconds"],
            [SaturateMode.ProducerSeconds.Key] = printed["producerSeconds"],
        };
        return [new BenchResult("saturate", SaturateMode.LoadOf(Threads, existingPages: false), Library, round, values)];
    }
}
