using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Configuration;

public enum ProbeChoice
{
    None,
    Year,
    Month,
    Week,
    Day,
    Hour,
    Minute,
}

/// <summary>Options of a sink that exists for tests: a few of each kind.</summary>
public sealed class ProbeOptions : SinkOptions
{
    public string? Path { get; set; }

    public string? ParentPath { get; set; }

    public string? ResolvedPath { get; set; }

    public ProbeChoice RollingInterval { get; set; } = ProbeChoice.Day;

    public long? FileSizeLimit { get; set; } = 100L << 20;

    public int? RetainedFileCountLimit { get; set; } = 31;

    public UnixFileMode Mode { get; set; } = (UnixFileMode)0b110_100_000;

    public TimeSpan? Age { get; set; }

    public LogLevel SyncLevel { get; set; } = Microsoft.Extensions.Logging.LogLevel.None;

    public string Greeting { get; set; } = "hello";

    public string? Header { get; set; }

    public bool OnceOnly { get; set; }

    public string? Password { get; set; }
}
