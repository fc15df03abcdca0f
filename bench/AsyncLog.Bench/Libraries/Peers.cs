namespace AsyncLog.Bench;

/// <summary>The configurations of each peer that its calls are measured in: the best one counts in a gate and in the chart.</summary>
internal static class Peers
{
    public static readonly string[] NLog = ["nlog-1000", "nlog-100000", "nlog-sleep10", "nlog-default", "nlog-keep-open"];
    public static readonly string[] Serilog = ["serilog-1000", "serilog-100000", "serilog-default", "serilog-sync"];
    public static readonly string[] MelConsole = ["console-default", "console-100000"];
    public static readonly string[] OpenTelemetry = ["opentelemetry", "opentelemetry-512", "opentelemetry-default"];
}
