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
            // Two deployments differ: a file in development, none in a container.
            .Add(nameof(SinkOptions.Enabled), o => o.Enabled, (o, v) => o.Enabled = v, OptionKind.Boolean, OptionReload.Live)
            // Two deployments differ: the section has an instance of its own, or its named ones only.
            .Add(nameof(SinkOptions.Main), o => o.Main, (o, v) => o.Main = v, OptionKind.Boolean, OptionReload.Live)
            // .NET: Logging:Console:LogLevel.
            .Add(new LevelMapKey<TOptions>())
            // NLog: maxLevel.
            .Add(nameof(SinkOptions.MaxLevel), o => o.MaxLevel, (o, v) => o.MaxLevel = v, OptionKind.Level.OrNull(), OptionReload.Live)
            .Check(nameof(SinkOptions.MaxLevel), o => o.MaxLevel == LogLevel.None ? "must not be None: set Enabled to false to disable the instance" : null)
            // Serilog: AuditTo.
            .Add(nameof(SinkOptions.AcknowledgeLevel), o => o.AcknowledgeLevel, (o, v) => o.AcknowledgeLevel = v, OptionKind.Level, OptionReload.Live)
            // Two deployments differ: a local disk and a distant collector.
            .Add(
                nameof(SinkOptions.AcknowledgeTimeout), o => o.AcknowledgeTimeout, (o, v) => o.AcknowledgeTimeout = v,
                OptionKind.Time(MinAcknowledgeTimeout, TimeSpan.FromMinutes(1)), OptionReload.Live)
            // Two deployments differ: an audit trail and a web page.
            .Add(
                nameof(SinkOptions.AcknowledgeFailureMode), o => o.AcknowledgeFailureMode, (o, v) => o.AcknowledgeFailureMode = v,
                OptionKind.Choice<AcknowledgeFailureMode>(), OptionReload.Live)
            // Two deployments differ: hosts and orchestrators grant different times to stop.
            .Add(nameof(SinkOptions.ShutdownTimeout), o => o.ShutdownTimeout, (o, v) => o.ShutdownTimeout = v, OptionKind.Time(max: TimeSpan.FromMinutes(5)), OptionReload.Live)
            // Two deployments differ: it takes memory on tmpfs.
            .Add(nameof(SinkOptions.CrashBuffer), o => o.CrashBuffer, (o, v) => o.CrashBuffer = v, OptionKind.Boolean, OptionReload.NextStart)
            // Two deployments differ: a receiver may accept records of the application only.
            .Add(nameof(SinkOptions.GapNotices), o => o.GapNotices, (o, v) => o.GapNotices = v, OptionKind.Boolean, OptionReload.Live)
            // Two deployments differ: an audit trail and a web page.
            .Add(nameof(SinkOptions.FailFastOnStart), o => o.FailFastOnStart, (o, v) => o.FailFastOnStart = v, OptionKind.Boolean, OptionReload.NextStart);
        AddSpool(table);
        table.MarkCommon();
        return table;
    }

    private static void AddSpool<TOptions>(OptionsTable<TOptions> table)
        where TOptions : SinkOptions
    {
        table
            // rsyslog: queue.fileName.
            .Add(nameof(SinkOptions.SpoolPath), o => o.SpoolPath, (o, v) => o.SpoolPath = v, OptionKind.OptionalText, OptionReload.NextStart)
            .Check(nameof(SinkOptions.SpoolPath), static o => o.SpoolPath?.Contains('\0') == true ? "must not contain a null character" : null)
            // rsyslog: queue.maxDiskSpace.
            .Add(nameof(SinkOptions.SpoolSizeLimit), o => o.SpoolSizeLimit, (o, v) => o.SpoolSizeLimit = v, OptionKind.Size(MinSpoolSize), OptionReload.Live)
            // Two deployments differ: receivers refuse records of different ages.
            .Add(
                nameof(SinkOptions.SpoolTimeLimit), o => o.SpoolTimeLimit, (o, v) => o.SpoolTimeLimit = v, OptionKind.Time(TimeSpan.FromMinutes(1)).OrNull(nullMeaning: "no limit"), OptionReload.Live)
            // rsyslog: queue.syncQueueFiles.
            .Add(
                nameof(SinkOptions.SpoolDurability), o => o.SpoolDurability, (o, v) => o.SpoolDurability = v, OptionKind.Choice<WriteDurability>(), OptionReload.Live)
            // Logstash: dead_letter_queue.enable.
            .Add(nameof(SinkOptions.SpoolRejected), o => o.SpoolRejected, (o, v) => o.SpoolRejected = v, OptionKind.Boolean, OptionReload.Live);
    }

    private static void AddLayout<TOptions>(OptionsTable<TOptions> table, SinkFormats formats)
        where TOptions : SinkOptions
    {
        table
            // .NET console: FormatterName.
            .Add(nameof(SinkOptions.Format), o => o.Format, (o, v) => o.Format = v, formats.Kind, OptionReload.LiveNewFile)
            // Serilog: outputTemplate.
            .Add(nameof(SinkOptions.Template), o => o.Template, (o, v) => o.Template = v, OptionKind.OptionalText, OptionReload.LiveNewFile)
            .OnlyWhen(nameof(SinkOptions.Template), nameof(SinkOptions.Format), o => formats.TakesTemplate(o), "only with Format Text")
            // .NET console: TimestampFormat.
            .Add(nameof(SinkOptions.TimestampFormat), o => o.TimestampFormat, (o, v) => o.TimestampFormat = v, OptionKind.OptionalText, OptionReload.Live)
            .OnlyWhen(
                nameof(SinkOptions.TimestampFormat), nameof(SinkOptions.Format), o => !formats.IsClef(o), "not with Format Clef, whose timestamps are ISO 8601 in UTC")
            .Check(nameof(SinkOptions.TimestampFormat), o => o.TimestampFormat is { } format ? TimestampFormat.Check(format) : null)
            // .NET console: UseUtcTimestamp.
            .Add(nameof(SinkOptions.UseUtcTimestamp), o => o.UseUtcTimestamp, (o, v) => o.UseUtcTimestamp = v, OptionKind.Boolean, OptionReload.Live)
            // Serilog: Enrich.WithProperty.
            .Add(new MapKey<TOptions, string, string>(nameof(SinkOptions.Properties), o => o.Properties, PropertyName.Untyped, OptionKind.OptionalText.Untyped, OptionReload.Live))
            // .NET console: IncludeScopes.
            .Add(nameof(SinkOptions.IncludeScopes), o => o.IncludeScopes, (o, v) => o.IncludeScopes = v, OptionKind.Boolean.OrNull(), OptionReload.Live);
    }

    private static void AddQueue<TOptions>(OptionsTable<TOptions> table)
        where TOptions : SinkOptions
    {
        table
            // .NET console: MaxQueueLength.
            .Add(nameof(SinkOptions.MaxQueueLength), o => o.MaxQueueLength, (o, v) => o.MaxQueueLength = v, OptionKind.Integer(1, 10_000_000), OptionReload.Rebuild)
            // Fluent Bit: mem_buf_limit.
            .Add(nameof(SinkOptions.MaxQueueMemory), o => o.MaxQueueMemory, (o, v) => o.MaxQueueMemory = v, OptionKind.Size(), OptionReload.Rebuild)
            .Check(nameof(SinkOptions.MaxQueueMemory), QueueMemoryRule)
            // .NET console: QueueFullMode.
            .Add(nameof(SinkOptions.QueueFullMode), o => o.QueueFullMode, (o, v) => o.QueueFullMode = v, OptionKind.Choice<QueueFullMode>(), OptionReload.Live)
            // rsyslog: queue.timeoutEnqueue.
            .Add(nameof(SinkOptions.WaitTimeout), o => o.WaitTimeout, (o, v) => o.WaitTimeout = v, OptionKind.Time(new TimeSpan(1), TimeSpan.FromMinutes(1)), OptionReload.Live)
            // rsyslog: queue.discardMark.
            .Add(nameof(SinkOptions.ReservedPercentage), o => o.ReservedPercentage, (o, v) => o.ReservedPercentage = v, OptionKind.Percent(0, 50), OptionReload.Live)
            // rsyslog: maxMessageSize.
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
