namespace AsyncLog;

/// <summary>What AsyncLog has to know of the file sink.</summary>
internal static class AsyncFileSinkType
{
    /// <summary>Makes the description for one container: its file sets know of each other.</summary>
    public static SinkType<AsyncFileOptions> Create()
    {
        var owners = new FileNameOwners();
        return new SinkType<AsyncFileOptions>("file", (options, context) => new FileSink(
            FileSinkSettings.From(options), new ContextVoice(context), ByteFiles.ForThisPlatform(), owners, context.IsReload))
        {
            ChildrenKey = "Files",
            RegistrationMethod = "AddAsyncFile",
            TargetKey = nameof(AsyncFileOptions.Path),
            Describe = AsyncFileOptionsTable.Describe,
            HasTarget = static options => options.Path is not null,
            ForgetTarget = static options =>
            {
                options.ParentPath = options.Path;
                options.Path = null;
            },
            Resolve = Resolve,
            UniqueTarget = static options => options.Path,
            Summary = AsyncFileSummary.Of,
            Layout = static (options, layout) => layout with
            {
                NewLine = FileSinkSettings.NewLineOf(options.NewLine),
                IndentNewLines = options.NewLines == NewLineStyle.Indent,
                SingleLine = options.SingleLine,
            },
            Apply = static (sink, options) => ((FileSink)sink).Apply(FileSinkSettings.From(options)),
            RollForNewLayout = static sink => ((FileSink)sink).RollForNewLayout(),
        };
    }

    private static void Resolve(AsyncFileOptions options, InstanceResolution resolution)
    {
        if (options.Header is { } header)
            options.Header = resolution.ExpandText(header, nameof(options.Header));
        var configured = options.Path
            ?? (resolution.IsDefault ? AsyncFilePath.Default : AsyncFilePath.ForChild(options.ParentPath, resolution.Instance));
        options.Path = resolution.ExpandPath(configured, nameof(options.Path));
        if (options.Path is not { } path || AsyncFileRules.ArchiveName(options.ArchiveName, options.RollingInterval) is not null)
            return;
        if (AsyncFilePath.Resolve(path, options.ArchiveName, options.RollingInterval, out var error) is null)
            resolution.Problem(error!.IsArchiveName ? nameof(options.ArchiveName) : nameof(options.Path), error.Rule);
    }
}
