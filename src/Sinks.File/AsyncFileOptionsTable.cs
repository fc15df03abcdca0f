namespace AsyncLog;

/// <summary>The known keys of <c>Logging:AsyncFile</c> besides those every sink has (options.md section 4).</summary>
internal static class AsyncFileOptionsTable
{
    public static void Describe(SinkOptionsTable<AsyncFileOptions> table) => table
        .OptionalText(nameof(AsyncFileOptions.Path), o => o.Path, (o, v) => o.Path = v, OptionReload.Rebuild)
        .Enum(nameof(AsyncFileOptions.RollingInterval), o => o.RollingInterval, (o, v) => o.RollingInterval = v, OptionReload.Live)
        .Size(nameof(AsyncFileOptions.FileSizeLimit), o => o.FileSizeLimit, (o, v) => o.FileSizeLimit = v, OptionReload.Live)
        .Check(nameof(AsyncFileOptions.FileSizeLimit), o => AsyncFileRules.FileSizeLimit(o.FileSizeLimit))
        .Text(nameof(AsyncFileOptions.ArchiveName), o => o.ArchiveName, (o, v) => o.ArchiveName = v, OptionReload.Live)
        .Check(nameof(AsyncFileOptions.ArchiveName), o => AsyncFileRules.ArchiveName(o.ArchiveName, o.RollingInterval))
        .Integer(nameof(AsyncFileOptions.RetainedFileCountLimit), o => o.RetainedFileCountLimit, (o, v) => o.RetainedFileCountLimit = v, OptionReload.Live)
        .Check(nameof(AsyncFileOptions.RetainedFileCountLimit), o => AsyncFileRules.RetainedFileCountLimit(o.RetainedFileCountLimit))
        .Enum(nameof(AsyncFileOptions.OnStartup), o => o.OnStartup, (o, v) => o.OnStartup = v, OptionReload.NextStart)
        .Switch(nameof(AsyncFileOptions.ReopenWhenMoved), o => o.ReopenWhenMoved, (o, v) => o.ReopenWhenMoved = v, OptionReload.Live)
        .Octal(nameof(AsyncFileOptions.UnixFileMode), o => o.UnixFileMode, (o, v) => o.UnixFileMode = v, OptionReload.Live)
        .Check(nameof(AsyncFileOptions.UnixFileMode), o => AsyncFileRules.FileMode(o.UnixFileMode))
        .Octal(nameof(AsyncFileOptions.UnixDirectoryMode), o => o.UnixDirectoryMode, (o, v) => o.UnixDirectoryMode = v, OptionReload.Live)
        .Check(nameof(AsyncFileOptions.UnixDirectoryMode), o => AsyncFileRules.DirectoryMode(o.UnixDirectoryMode))
        .Enum(nameof(AsyncFileOptions.NewLine), o => o.NewLine, (o, v) => o.NewLine = v, OptionReload.LiveNewFile)
        .Enum(nameof(AsyncFileOptions.NewLines), o => o.NewLines, (o, v) => o.NewLines = v, OptionReload.Live)
        .Switch(nameof(AsyncFileOptions.SingleLine), o => o.SingleLine, (o, v) => o.SingleLine = v, OptionReload.Live)
        .OptionalText(nameof(AsyncFileOptions.Header), o => o.Header, (o, v) => o.Header = v, OptionReload.Live)
        .Check(nameof(AsyncFileOptions.Header), o => AsyncFileRules.Header(o.Header))
        .Planned(
            "RetainedFileTimeLimit", "RetainedTotalSizeLimit", "Compression", "LatestLink", "ReopenSignal", "Durability", "FlushToDiskInterval",
            "FlushToDiskLevel", "MinimumFreeSpace", "FallbackPath", "Preallocate");
}
