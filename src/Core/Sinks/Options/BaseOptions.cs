using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The rows of the known-key table that every sink has.</summary>
internal static class BaseOptions
{
    private const long LeastQueueMemory = 256L << 10;
    private const long MostQueueMemory = 4L << 30;
    private const int LeastRecordSize = 1 << 10;
    private const int MostRecordSize = 1 << 20;

    // A segment holds one record of the largest size at least, and the queue needs four of them to keep moving.
    private const int RecordsInQueue = 4;

    public static void AddTo<TOptions>(SinkOptionsTable<TOptions> table, SinkFormats formats)
        where TOptions : SinkOptions
    {
        AddLayout(table, formats);
        AddQueue(table);
        table
            .Switch(nameof(SinkOptions.Enabled), o => o.Enabled, (o, v) => o.Enabled = v, OptionReload.Live)
            .Add(new LevelMapKey<TOptions>())
            .Level(nameof(SinkOptions.MaxLevel), o => o.MaxLevel, (o, v) => o.MaxLevel = v, OptionReload.Live)
            .Check(nameof(SinkOptions.MaxLevel), o => o.MaxLevel == LogLevel.None ? "must not be None" : null)
            .Level(nameof(SinkOptions.FlushLevel), o => o.FlushLevel, (o, v) => o.FlushLevel = v, OptionReload.Live)
            .Time(nameof(SinkOptions.ShutdownTimeout), o => o.ShutdownTimeout, (o, v) => o.ShutdownTimeout = v, OptionReload.Live, max: TimeSpan.FromMinutes(5))
            .Switch(nameof(SinkOptions.GapNotices), o => o.GapNotices, (o, v) => o.GapNotices = v, OptionReload.Live)
            .Switch(nameof(SinkOptions.FailFastOnStart), o => o.FailFastOnStart, (o, v) => o.FailFastOnStart = v, OptionReload.NextStart);
    }

    private static void AddLayout<TOptions>(SinkOptionsTable<TOptions> table, SinkFormats formats)
        where TOptions : SinkOptions
    {
        table
            .Add(new ScalarKey<TOptions, string?>(nameof(SinkOptions.Format), OptionReload.LiveNewFile, o => o.Format, (o, v) => o.Format = v, formats.Form))
            .OptionalText(nameof(SinkOptions.Template), o => o.Template, (o, v) => o.Template = v, OptionReload.LiveNewFile)
            .OnlyWhen(nameof(SinkOptions.Template), nameof(SinkOptions.Format), o => formats.TakesTemplate(o), "only with Format Text")
            .OptionalText(nameof(SinkOptions.TimestampFormat), o => o.TimestampFormat, (o, v) => o.TimestampFormat = v, OptionReload.Live)
            .OnlyWhen(
                nameof(SinkOptions.TimestampFormat), nameof(SinkOptions.Format), o => !formats.IsClef(o), "not with Format Clef, whose time stamps are ISO 8601 in UTC")
            .Check(nameof(SinkOptions.TimestampFormat), o => o.TimestampFormat is { } format ? TimestampFormat.Check(format) : null)
            .Switch(nameof(SinkOptions.UseUtcTimestamp), o => o.UseUtcTimestamp, (o, v) => o.UseUtcTimestamp = v, OptionReload.Live)
            .Add(PropertiesKey.Create<TOptions>())
            .Switch(nameof(SinkOptions.IncludeScopes), o => o.IncludeScopes, (o, v) => o.IncludeScopes = v, OptionReload.Live);
    }

    private static void AddQueue<TOptions>(SinkOptionsTable<TOptions> table)
        where TOptions : SinkOptions
    {
        table
            .Integer(nameof(SinkOptions.MaxQueueLength), o => o.MaxQueueLength, (o, v) => o.MaxQueueLength = v, OptionReload.Rebuild, 1, 10_000_000)
            .Size(nameof(SinkOptions.MaxQueueMemory), o => o.MaxQueueMemory, (o, v) => o.MaxQueueMemory = v, OptionReload.Rebuild)
            .Check(nameof(SinkOptions.MaxQueueMemory), QueueMemoryRule)
            .Enum(nameof(SinkOptions.QueueFullMode), o => o.QueueFullMode, (o, v) => o.QueueFullMode = v, OptionReload.Live)
            .Time(nameof(SinkOptions.WaitTimeout), o => o.WaitTimeout, (o, v) => o.WaitTimeout = v, OptionReload.Live, new TimeSpan(1), TimeSpan.FromMinutes(1))
            .Level(nameof(SinkOptions.ReserveForLevel), o => o.ReserveForLevel, (o, v) => o.ReserveForLevel = v, OptionReload.Live)
            .Percent(nameof(SinkOptions.ReserveShare), o => o.ReserveShare, (o, v) => o.ReserveShare = v, OptionReload.Live, 0, 50)
            .Size(nameof(SinkOptions.MaxRecordSize), o => o.MaxRecordSize, (o, v) => o.MaxRecordSize = v, OptionReload.Rebuild, LeastRecordSize, MostRecordSize);
    }

    private static string? QueueMemoryRule<TOptions>(TOptions options)
        where TOptions : SinkOptions
    {
        long least = (long)RecordsInQueue * options.MaxRecordSize;
        if (options.MaxQueueMemory < least)
        {
            return string.Create(CultureInfo.InvariantCulture, $"must be at least {RecordsInQueue} x MaxRecordSize ({least} bytes)");
        }

        return options.MaxQueueMemory is < LeastQueueMemory or > MostQueueMemory
            ? OptionText.Range(SizeText.Show(LeastQueueMemory), SizeText.Show(MostQueueMemory))
            : null;
    }
}
