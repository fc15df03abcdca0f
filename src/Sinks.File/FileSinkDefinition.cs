namespace AsyncLog;

/// <summary>Describes the file sink. One object per container: its sinks share the names that are taken.</summary>
/// <param name="files">The file system; null: that of the platform.</param>
/// <param name="createSink">Makes the sink of resolved options; null: <see cref="FileSink"/>.</param>
internal sealed class FileSinkDefinition(
    AsyncFileControl control, IFileSystem? files = null, Func<AsyncFileLoggerOptions, SinkContext, ILogSink>? createSink = null) : SinkDefinition<AsyncFileLoggerOptions>("file")
{
    private readonly LogFileRegistry _registry = new();

    public override string ChildrenKey => "Files";

    public override string RegistrationMethod => "AddAsyncFile";

    public override string DestinationKey => nameof(AsyncFileLoggerOptions.Path);

    public override bool CanApply => true;

    public override ILogSink CreateSink(AsyncFileLoggerOptions options, SinkContext context)
    {
        if (createSink is not null)
            return createSink(options, context);
        var sink = new FileSink(new LogFileSettings(options), context, files ?? FileSystems.ForThisPlatform(), _registry);
        control.Add(context.Name, sink);
        return sink;
    }

    public override void ClearDestination(AsyncFileLoggerOptions options) => (options.ParentPath, options.Path) = (options.Path, null);

    public override string? UniqueDestinationOf(AsyncFileLoggerOptions options) => options.Path;

    public override IEnumerable<string> ReservedNamesOf(AsyncFileLoggerOptions options) => new LogFileSettings(options).ReservedPaths;

    public override string Summarize(AsyncFileLoggerOptions options) => AsyncFileSummary.Of(options);

    public override RecordLayout LayoutOf(AsyncFileLoggerOptions options, RecordLayout layout) => layout with
    {
        NewLine = LogFileSettings.LineEndingOf(options.LineEnding),
        IndentNewLines = options.LineBreaks == LineBreaks.Indent,
        SingleLine = options.SingleLine,
    };

    public override void Apply(ILogSink sink, AsyncFileLoggerOptions options) => ((FileSink)sink).Apply(new LogFileSettings(options));

    public override void RollForNewLayout(ILogSink sink) => ((FileSink)sink).RollForNewLayout();

    public override void Describe(OptionsTable<AsyncFileLoggerOptions> table) => table
        // Serilog: path.
        .Add("Path", static o => o.Path, static (o, value) => o.Path = value, OptionKind.OptionalText, OptionReload.Rebuild)
        // Serilog: rollingInterval.
        .Add("RollingInterval", static o => o.RollingInterval, static (o, value) => o.RollingInterval = value, OptionKind.Choice<RollingInterval>(), OptionReload.Live)
        // Serilog: fileSizeLimitBytes.
        .Add("FileSizeLimit", static o => o.FileSizeLimit, static (o, value) => o.FileSizeLimit = value, OptionKind.Size(min: AsyncFileRules.SmallestFileSizeLimit).OrNull(nullMeaning: "no limit"), OptionReload.Live)
        // NLog: archiveFileName.
        .Add("ArchiveName", static o => o.ArchiveName, static (o, value) => o.ArchiveName = value, OptionKind.Text, OptionReload.Live)
        // Serilog: retainedFileCountLimit.
        .Add("RetainedFileCountLimit", static o => o.RetainedFileCountLimit, static (o, value) => o.RetainedFileCountLimit = value, OptionKind.Integer(min: AsyncFileRules.SmallestRetainedFileCountLimit).OrNull(nullMeaning: "all files"), OptionReload.Live)
        // Serilog: retainedFileTimeLimit.
        .Add("RetainedFileTimeLimit", static o => o.RetainedFileTimeLimit, static (o, value) => o.RetainedFileTimeLimit = value, OptionKind.Time(min: AsyncFileRules.SmallestRetainedFileTimeLimit).OrNull(nullMeaning: "no limit"), OptionReload.Live)
        // Logback: totalSizeCap.
        .Add("RetainedTotalSizeLimit", static o => o.RetainedTotalSizeLimit, static (o, value) => o.RetainedTotalSizeLimit = value, OptionKind.Size().OrNull(nullMeaning: "no limit"), OptionReload.Live)
        // NLog: enableArchiveFileCompression.
        .Add("Compression", static o => o.Compression, static (o, value) => o.Compression = value, OptionKind.Choice<CompressionMethod>(), OptionReload.Live)
        // glog: a link to the newest file.
        .Add("LatestLink", static o => o.LatestLink, static (o, value) => o.LatestLink = value, OptionKind.OptionalText, OptionReload.Live)
        // rsyslog: reopens its files at SIGHUP, for logrotate.
        .Add("ReopenSignal", static o => o.ReopenSignal, static (o, value) => o.ReopenSignal = value, AsyncFileRules.ReopenSignal.OrNull(), OptionReload.NextStart)
        // NLog: archiveOldFileOnStartup, deleteOldFileOnStartup.
        .Add("ExistingFile", static o => o.ExistingFile, static (o, value) => o.ExistingFile = value, OptionKind.Choice<ExistingFile>(), OptionReload.NextStart)
        // Python: WatchedFileHandler beside FileHandler.
        .Add("ReopenWhenMoved", static o => o.ReopenWhenMoved, static (o, value) => o.ReopenWhenMoved = value, OptionKind.Boolean, OptionReload.Live)
        // .NET: FileStreamOptions.UnixCreateMode.
        .Add("UnixCreateMode", static o => o.UnixCreateMode, static (o, value) => o.UnixCreateMode = value, OptionKind.FileMode, OptionReload.Live)
        // NLog: lineEnding.
        .Add("LineEnding", static o => o.LineEnding, static (o, value) => o.LineEnding = value, OptionKind.Choice<LineEnding>(), OptionReload.LiveNewFile)
        // Two deployments differ: programs read one record per line, people read SQL.
        .Add("LineBreaks", static o => o.LineBreaks, static (o, value) => o.LineBreaks = value, OptionKind.Choice<LineBreaks>(), OptionReload.Live)
        // .NET console: SingleLine.
        .Add("SingleLine", static o => o.SingleLine, static (o, value) => o.SingleLine = value, OptionKind.Boolean, OptionReload.Live)
        // NLog: header.
        .Add("Header", static o => o.Header, static (o, value) => o.Header = value, OptionKind.OptionalText, OptionReload.Live)
        // rsyslog: sync.
        .Add("Durability", static o => o.Durability, static (o, value) => o.Durability = value, OptionKind.Choice<WriteDurability>(), OptionReload.Live)
        // Serilog: flushToDiskInterval.
        .Add("FlushToDiskInterval", static o => o.FlushToDiskInterval, static (o, value) => o.FlushToDiskInterval = value, OptionKind.Time(min: TimeSpan.FromMilliseconds(AsyncFileRules.SmallestFlushToDiskMilliseconds)).OrNull(), OptionReload.Live)
        // journald: syncs at once from Critical on.
        .Add("FlushToDiskLevel", static o => o.FlushToDiskLevel, static (o, value) => o.FlushToDiskLevel = value, OptionKind.Level, OptionReload.Live)
        // journald: SystemKeepFree.
        .Add("MinFreeSpace", static o => o.MinFreeSpace, static (o, value) => o.MinFreeSpace = value, OptionKind.Size().OrNull("auto"), OptionReload.Live)
        .Check("ArchiveName", static o => AsyncFileRules.ArchiveName(o.ArchiveName, o.RollingInterval))
        .Check("RetainedTotalSizeLimit", static o => AsyncFileRules.RetainedTotalSizeLimit(o.RetainedTotalSizeLimit, o.FileSizeLimit))
        .Check("UnixCreateMode", static o => AsyncFileRules.FileMode(o.UnixCreateMode));

    public override void Resolve(AsyncFileLoggerOptions options, InstanceResolution resolution)
    {
        if (options.Header is { } header)
        {
            options.Header = resolution.ExpandText(header, nameof(options.Header));
            if (AsyncFileRules.Header(options.Header) is { } rule)
                resolution.Problem(nameof(options.Header), rule);
        }

        string wanted = !string.IsNullOrEmpty(options.Path) ? options.Path
            : resolution.IsDefault ? AsyncFilePath.Default
            : AsyncFilePath.ForChild(options.ParentPath, resolution.Instance);
        if (resolution.ExpandPath(wanted) is not { } path)
            return;
        options.Path = path;

        // A broken archive name is reported by its own rule.
        FileNamePattern? names = AsyncFilePath.Resolve(path, options.ArchiveName, options.RollingInterval, out FileNameError? error);
        if (names is null && !error!.IsArchiveName)
            resolution.Problem(nameof(options.Path), error.Rule);
        if (names is not null && OperatingSystem.IsWindows()
            && AsyncFileRules.WindowsPath(wanted, Path.Join(AsyncFilePath.DirectoryOf(path), names.ActiveName(DateTime.MinValue))) is { } windowsRule)
            resolution.Problem(nameof(options.Path), windowsRule);
        ResolveLink(options, names, resolution);
    }

    private static void ResolveLink(AsyncFileLoggerOptions options, FileNamePattern? names, InstanceResolution resolution)
    {
        if (string.IsNullOrEmpty(options.LatestLink) || resolution.ExpandText(options.LatestLink, nameof(options.LatestLink)) is not { } link)
            return;
        options.LatestLink = link;
        if (names is not null && AsyncFileRules.LatestLink(link, names) is { } rule)
            resolution.Problem(nameof(options.LatestLink), rule);
    }
}
