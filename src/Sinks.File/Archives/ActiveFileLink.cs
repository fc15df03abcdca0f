using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Points a symbolic link, the option <c>LatestLink</c>, to the active file. Worker only.</summary>
internal sealed class ActiveFileLink(IFileSystem files, SinkContext context, LogFileRegistry registry, object owner)
{
    private const string Condition = "latest_link";

    public void Point(LogFileSettings settings, string activePath)
    {
        if (settings.LatestLink is not { } name)
            return;
        string link = settings.PathOf(name);
        try
        {
            FileStat? existing = files.Stat(link);
            if (existing is not null and not { Kind: FileKind.Link })
                Refuse($"{link} is not a symbolic link and is not replaced: remove it or change LatestLink");
            else if (!registry.OwnsLink(owner, settings))
                Refuse($"{link} is also the LatestLink of another file, which keeps it: give each file its own");
            else
                Replace(settings, name, Path.GetFileName(activePath));
        }
        catch (Exception exception) when (exception is LogSinkException or IOException or UnauthorizedAccessException)
        {
            string errorType = FileErrorClass.Of(exception);
            context.CountError(errorType);
            Refuse(exception is LogSinkException ? exception.Message : FileErrorClass.Failure("cannot create the link", link, errorType, cause: exception).Message);
        }
    }

    // The name is never absent: a new link is renamed over the old one.
    private void Replace(LogFileSettings settings, string name, string target)
    {
        string link = settings.PathOf(name);
        if (new FileInfo(link).LinkTarget != target)
        {
            (string temporary, _) = NewFile.CreateTemporary(
                context.TimeProvider, number => settings.PathOf(FileNamePattern.TemporaryName(name, number)), path => files.Delete(path), path => File.CreateSymbolicLink(path, target));
            File.Move(temporary, link, overwrite: true);
        }

        context.ReportRecovery(Condition, $"{link} points to the active file again.");
    }

    private void Refuse(string message) => context.Report(LogLevel.Warning, Condition, $"{message}. Logging continues without it.");
}
