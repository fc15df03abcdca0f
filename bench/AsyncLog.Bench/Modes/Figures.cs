namespace AsyncLog.Bench;

/// <summary>Figures that several modes find.</summary>
internal static class Figures
{
    public static readonly Figure CpuPerRecord = new("cpuPerRecord", "CPU ns per record", "F0");

    public static readonly Figure RecordsPerSecond = new("recordsPerSecond", "records/s", "N0");

    public static readonly Figure Seconds = new("seconds", "seconds", "F3");
}
