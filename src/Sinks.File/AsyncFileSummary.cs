using System.Globalization;

namespace AsyncLog;

/// <summary>What the start-up line says of a file: <c>text, roll Day or 100 MB, keep 31</c>.</summary>
internal static class AsyncFileSummary
{
    private static readonly string[] Units = ["B", "KB", "MB", "GB", "TB"];

    public static string Of(AsyncFileOptions options)
    {
        string format = (string.IsNullOrEmpty(options.Format) ? "Text" : options.Format).ToLowerInvariant();
        return $"{format}, {Roll(options.RollingInterval, options.FileSizeLimit)}, {Keep(options.RetainedFileCountLimit)}";
    }

    private static string Roll(RollingInterval interval, long? limit) => (interval, limit) switch
    {
        (RollingInterval.None, null) => "no roll",
        (RollingInterval.None, { } size) => $"roll {Size(size)}",
        (_, null) => $"roll {interval}",
        (_, { } size) => $"roll {interval} or {Size(size)}",
    };

    private static string Keep(int? count) =>
        count is { } limit ? string.Create(CultureInfo.InvariantCulture, $"keep {limit}") : "keep all";

    private static string Size(long bytes)
    {
        int unit = 0;
        double value = bytes;
        for (; value >= 1024 && unit < Units.Length - 1; unit++)
            value /= 1024;
        return string.Create(CultureInfo.InvariantCulture, $"{Math.Round(value, 2)} {Units[unit]}");
    }
}
