namespace AsyncLog.Bench;

/// <summary>Options of <see cref="StallingSink"/>.</summary>
internal sealed class StallingOptions : SinkOptions
{
    public string Path { get; set; } = "";

    public bool Stalls { get; set; }
}
