using System.Globalization;

namespace AsyncLog;

/// <summary>Text of the start-up line for a file: <c>text, roll Day or 100 MB, keep 31</c>.</summary>
internal static class AsyncFileSummary
{
    private static readonly string[] Units = ["B", "KB", "MB", "GB", "TB"];

    public static string Of(AsyncFileLoggerOptions options)
    {
        string format = (string.IsNullOrEmpty(options.Format) ? "Text" : options.Format).ToLowerInvariant();
        return $"{format}, {Roll(options.RollingInterval, options.FileSizeLimit)}, {Keep(options)}{(options.Compression == CompressionMethod.None ? "" : ", gzip")}";
    }

    private static string Roll(RollingInterval interval, long? limit) => (interval, limit) switch
    {
        (RollingInterval.None, null) => "no roll",
        (RollingInterval.None, { } size) => $"roll {Size(size)}",
        (_, null) => $"roll {interval}",
        (_, { } size) => $"roll {interval} or {Size(size)}",
    };

    private static string Keep(AsyncFileLoggerOptions options)
    {
        string?[] limits =
        [
            options.RetainedFileCountLimit?.ToString(CultureInfo.InvariantCulture),
            options.RetainedFileTimeLimit is { } age ? Time(age) : null,
            options.RetainedTotalSizeLimit is { } total ? Size(total) : null,
        ];
        string kept = string.Join(" or ", limits.Where(static limit => limit is not null));
        return kept.Length == 0 ? "keep all" : $"keep {kept}";
    }

    private static string Time(TimeSpan time) =>
        time.Ticks % TimeSpan.TicksPerDay == 0 ? string.Create(CultureInfo.InvariantCulture, $"{time.Days} d")
        : time.Ticks % TimeSpan.TicksPerHour == 0 ? string.Create(CultureInfo.InvariantCulture, $"{time.TotalHours} h")
        : time.ToString("c", CultureInfo.InvariantCulture);

    /// <summary>Two digits after the point, in the largest unit of which there is one.</summary>
    public static string Size(long bytes)
    {
        int unit = 0;
        double value = bytes;
        for (; value >= 1024 && unit < Units.Length - 1; unit++)
            value /= 1024;
        return string.Create(CultureInfo.InvariantCulture, $"{Math.Round(value, 2)} {Units[unit]}");
    }

    /// <summary>Every byte of a size.</summary>
    public static string Bytes(long bytes) => string.Create(CultureInfo.InvariantCulture, $"{bytes} {Units[0]}");
}
