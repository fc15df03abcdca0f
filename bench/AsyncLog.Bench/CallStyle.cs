using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>A way to call the logger.</summary>
/// <param name="Name">In tables and results.</param>
/// <param name="Call">Logs one order.</param>
/// <param name="Writes">Whether a record comes out.</param>
internal sealed record CallStyle(string Name, Action<ILogger, int> Call, bool Writes)
{
    public static readonly CallStyle Generated = new("[LoggerMessage]", OrderLog.Generated, Writes: true);

    public static readonly CallStyle Template = new("template", OrderLog.Template, Writes: true);

    public static readonly CallStyle Disabled = new("disabled", OrderLog.Disabled, Writes: false);

    /// <summary>Those that are measured of every library.</summary>
    public static IReadOnlyList<CallStyle> All { get; } = [Generated, Template, Disabled];
}
