namespace AsyncLog.Bench;

/// <summary>The configurations of each peer, a fast one and the default among them: the best one counts in a gate and in the chart.</summary>
internal static class Peers
{
    public static readonly string[] NLog = ["nlog-100000", "nlog-sleep10", "nlog-keep-open", "nlog-default"];
    public static readonly string[] Serilog = ["serilog-100000", "serilog-sync", "serilog-default"];
    public static readonly string[] MelConsole = ["console-100000", "console-default"];
    public static readonly string[] OpenTelemetry = ["opentelemetry", "opentelemetry-default"];
    public static readonly string[] ZLogger = ["zlogger-text"];

    /// <summary>Those that write JSON.</summary>
    public static readonly string[] Json = ["nlog-json", "serilog-json", "console-json", "zlogger-json"];
}
