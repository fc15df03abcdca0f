using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>A layout of <see cref="ComparedPipelines"/>.</summary>
internal sealed record ComparedLayout(string Format, string? Template = null)
{
    public bool? IncludeScopes { get; init; }

    public int MaxRecordSize { get; init; } = 64 << 10;

    public LogLevel? MaxLevel { get; init; }

    public KeyValuePair<string, string>[] Properties { get; init; } = [];

    public void Configure(TestOptions options)
    {
        (options.Format, options.Template, options.IncludeScopes, options.MaxRecordSize, options.MaxLevel) = (Format, Template, IncludeScopes, MaxRecordSize, MaxLevel);
        (options.QueueFullMode, options.WaitTimeout, options.GapNotices) = (QueueFullMode.Wait, TimeSpan.FromMinutes(1), false);
        options.Properties.Clear();
        foreach (var (name, value) in Properties)
            options.Properties[name] = value;
    }

    public override string ToString() => $"{Format} {Template} (scopes {IncludeScopes?.ToString() ?? "by default"}, {MaxRecordSize} bytes)";
}
