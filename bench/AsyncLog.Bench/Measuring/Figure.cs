namespace AsyncLog.Bench;

/// <summary>One number that a mode finds.</summary>
/// <param name="Key">In results.</param>
/// <param name="Heading">In tables, with its unit.</param>
/// <param name="Format">In tables.</param>
/// <param name="Scale">What the result is divided by for the table.</param>
internal sealed record Figure(string Key, string Heading, string Format, double Scale = 1)
{
    /// <summary>Whether a table shows its minimum and maximum too.</summary>
    public bool HasRange { get; init; }
}

/// <summary>Figures that several modes find.</summary>
internal static class Figures
{
    public static readonly Figure CpuPerRecord = new("cpuPerRecord", "CPU ns per record", "F0");
    public static readonly Figure RecordsPerSecond = new("recordsPerSecond", "records/s", "N0") { HasRange = true };

    /// <summary>Until the last byte is written.</summary>
    public static readonly Figure Seconds = new("seconds", "last byte s", "F3") { HasRange = true };

    /// <summary>Until the library is closed.</summary>
    public static readonly Figure ClosedSeconds = new("closedSeconds", "closed s", "F3");

    /// <summary>Until the last call returned.</summary>
    public static readonly Figure ProducerSeconds = new("producerSeconds", "producers done s", "F3");
}
