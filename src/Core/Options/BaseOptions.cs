using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The rows of the options table that every sink has.</summary>
internal static class BaseOptions
{
    private const long MinQueueMemory = 256L << 10;
    private const long QueueMemoryLimit = 4L << 30;

    // The largest segment with its slots has less.
    private const long MinSpoolSize = 8L << 20;
    private const int MinRecordSize = 1 << 10;
    private const int RecordSizeLimit = 1 << 20;

    // A segment holds one record of the largest size at least, and the queue needs four of them to keep moving.
    private const int RecordsInQueue = 4;

    // The longest nap of a worker: a shorter timeout would be over before a record can be written.
    private static readonly TimeSpan MinAcknowledgeTimeout = TimeSpan.FromMilliseconds(10);

    private static OptionKind<string> PropertyName { get; } =
        new(static text => new(text), static text => text, static text => text.Length == 0 ? "a property needs a name" : null);

    /// <summary>Makes a table with the common rows.</summary>
    public static OptionsTable<TOptions> CreateTable<TOptions>(SinkFormats formats)
        where TOptions : SinkOptions
    {
        var table = new OptionsTable<TOptions>();
        AddLayout(table, formats);
        AddQueue(table);
        table
            .Add(nameof(SinkOptions.Enabled), o => o.Enabled, (o, v) => o.Enabled = v, OptionKind.Boolean, OptionReload.Live)
            .Add(nameof(SinkOptions.Main), o => o.Main, (o, v) => o.Main = v, OptionKind.Boolean, OptionReload.Live)
            .Add(new LevelMapKey<TOptions>())
            .Add(nameof(SinkOptions.MaxLevel), o => o.MaxLevel, (o, v) => o.MaxLevel = v, OptionKind.Level.OrNull(), OptionReload.Live)
            .Check(nameof(SinkOptions.MaxLevel), o => o.MaxLevel == LogLevel.None ? "must not be None: set Enabled to false to disable the instance" : null)
            .Add(nameof(SinkOptions.AcknowledgeLevel), o => o.AcknowledgeLevel, (o, v) => o.AcknowledgeLevel = v, OptionKind.Level, OptionReload.Live)
            .Add(
                nameof(SinkOptions.AcknowledgeTimeout), o => o.AcknowledgeTimeout, (o, v) => o.AcknowledgeTimeout = v,
                OptionKind.Time(MinAcknowledgeTimeout, TimeSpan.FromMinutes(1)), OptionReload.Live)
            .Add(
                nameof(SinkOptions.AcknowledgeFailureMode), o => o.AcknowledgeFailureMode, (o, v) => o.AcknowledgeFailureMode = v,
                OptionKind.Choice<AcknowledgeFailureMode>(), OptionReload.Live)
            .Add(nameof(SinkOptions.ShutdownTimeout), o => o.ShutdownTimeout, (o, v) => o.ShutdownTimeout = v, OptionKind.Time(max: TimeSpan.FromMinutes(5)), OptionReload.Live)
            .Add(nameof(SinkOptions.CrashBuffer), o => o.CrashBuffer, (o, v) => o.CrashBuffer = v, OptionKind.Boolean, OptionReload.NextStart)
            .Add(nameof(SinkOptions.GapNotices), o => o.GapNotices, (o, v) => o.GapNotices = v, OptionKind.Boolean, OptionReload.Live)
            .Add(nameof(SinkOptions.FailFastOnStart), o => o.FailFastOnStart, (o, v) => o.FailFastOnStart = v, OptionKind.Boolean, OptionReload.NextStart);
        AddSpool(table);
        table.MarkCommon();
        return table;
    }

    private static void AddSpool<TOptions>(OptionsTable<TOptions> table)
        where TOptions : SinkOptions
    {
        table
            .Add(nameof(SinkOptions.SpoolPath), o => o.SpoolPath, (o, v) => o.SpoolPath = v, OptionKind.OptionalText, OptionReload.NextStart)
            .Check(nameof(SinkOptions.SpoolPath), static o => o.SpoolPath?.Contains('\0') == true ? "must not contain a null character" : null)
            .Add(nameof(SinkOptions.SpoolSizeLimit), o => o.SpoolSizeLimit, (o, v) => o.SpoolSizeLimit = v, OptionKind.Size(MinSpoolSize), OptionReload.Live)
            .Add(
                nameof(SinkOptions.SpoolTimeLimit), o => o.SpoolTimeLimit, (o, v) => o.SpoolTimeLimit = v, OptionKind.Time(TimeSpan.FromMinutes(1)).OrNull(nullMeaning: "no limit"), OptionReload.Live)
            .Add(
                nameof(SinkOptions.SpoolDurability), o => o.SpoolDurability, (o, v) => o.SpoolDurability = v, OptionKind.Choice<WriteDurability>(), OptionReload.Live)
            .Add(nameof(SinkOptions.SpoolRejected), o => o.SpoolRejected, (o, v) => o.SpoolRejected = v, OptionKind.Boolean, OptionReload.Live);
    }

    private static void AddLayout<TOptions>(OptionsTable<TOptions> table, SinkFormats formats)
        where TOptions : SinkOptions
    {
        table
            .Add(nameof(SinkOptions.Format), o => o.Format, (o, v) => o.Format = v, formats.Kind, OptionReload.LiveNewFile)
            .Add(nameof(SinkOptions.Template), o => o.Template, (o, v) => o.Template = v, OptionKind.OptionalText, OptionReload.LiveNewFile)
            .OnlyWhen(nameof(SinkOptions.Template), nameof(SinkOptions.Format), o => formats.TakesTemplate(o), "only with Format Text")
            .Add(nameof(SinkOptions.TimestampFormat), o => o.TimestampFormat, (o, v) => o.TimestampFormat = v, OptionKind.OptionalText, OptionReload.Live)
            .OnlyWhen(
                nameof(SinkOptions.TimestampFormat), nameof(SinkOptions.Format), o => !formats.IsClef(o), "not with Format Clef, whose timestamps are ISO 8601 in UTC")
            .Check(nameof(SinkOptions.TimestampFormat), o => o.TimestampFormat is { } format ? TimestampFormat.Check(format) : null)
            .Add(nameof(SinkOptions.UseUtcTimestamp), o => o.UseUtcTimestamp, (o, v) => o.UseUtcTimestamp = v, OptionKind.Boolean, OptionReload.Live)
            .Add(new MapKey<TOptions, string, string>(nameof(SinkOptions.Properties), o => o.Properties, PropertyName.Untyped, OptionKind.OptionalText.Untyped, OptionReload.Live))
            .Add(nameof(SinkOptions.IncludeScopes), o => o.IncludeScopes, (o, v) => o.IncludeScopes = v, OptionKind.Boolean.OrNull(), OptionReload.Live);
    }

    private static void AddQueue<TOptions>(OptionsTable<TOptions> table)
        where TOptions : SinkOptions
    {
        table
            .Add(nameof(SinkOptions.MaxQueueLength), o => o.MaxQueueLength, (o, v) => o.MaxQueueLength = v, OptionKind.Integer(1, 10_000_000), OptionReload.Rebuild)
            .Add(nameof(SinkOptions.MaxQueueMemory), o => o.MaxQueueMemory, (o, v) => o.MaxQueueMemory = v, OptionKind.Size(), OptionReload.Rebuild)
            .Check(nameof(SinkOptions.MaxQueueMemory), QueueMemoryRule)
            .Add(nameof(SinkOptions.QueueFullMode), o => o.QueueFullMode, (o, v) => o.QueueFullMode = v, OptionKind.Choice<QueueFullMode>(), OptionReload.Live)
            .Add(nameof(SinkOptions.WaitTimeout), o => o.WaitTimeout, (o, v) => o.WaitTimeout = v, OptionKind.Time(new TimeSpan(1), TimeSpan.FromMinutes(1)), OptionReload.Live)
            .Add(nameof(SinkOptions.ReservedPercentage), o => o.ReservedPercentage, (o, v) => o.ReservedPercentage = v, OptionKind.Percent(0, 50), OptionReload.Live)
            .Add(nameof(SinkOptions.MaxRecordSize), o => o.MaxRecordSize, (o, v) => o.MaxRecordSize = v, OptionKind.SmallSize(MinRecordSize, RecordSizeLimit), OptionReload.Rebuild);
    }

    private static string? QueueMemoryRule<TOptions>(TOptions options)
        where TOptions : SinkOptions
    {
        long least = (long)RecordsInQueue * options.MaxRecordSize;
        if (options.MaxQueueMemory < least)
            return string.Create(CultureInfo.InvariantCulture, $"must be at least {RecordsInQueue} x MaxRecordSize ({least} bytes)");

        return options.MaxQueueMemory is < MinQueueMemory or > QueueMemoryLimit
            ? OptionText.Range(SizeText.Show(MinQueueMemory), SizeText.Show(QueueMemoryLimit))
            : null;
    }
}
