namespace AsyncLog;

/// <summary>Keeps a symbolic link at the active file. Runs in the background.</summary>
internal sealed class LatestLink(IByteFiles files, IFileVoice voice, FileNameOwners owners, object owner)
{
    private const string Condition = "latest_link";

    /// <param name="settings">The settings in force when it was asked for.</param>
    /// <param name="activePath">The active file then.</param>
    public void Point(FileSinkSettings settings, string activePath)
    {
        if (settings.LatestLink is not { } name)
            return;
        string link = settings.PathOf(name);
        try
        {
            FileStat? there = files.Stat(link);
            if (there is not null and not { Kind: FileKind.Link })
                Refuse($"{link} is not a symbolic link and is left alone: remove it or change LatestLink");
            else if (!owners.OwnsLink(owner, settings))
                Refuse($"{link} is the LatestLink of another file too, which keeps it: give each its own");
            else
                Point(settings, name, Path.GetFileName(activePath));
        }
        catch (Exception exception) when (exception is LogSinkException or IOException or UnauthorizedAccessException)
        {
            string errorType = FileErrorClass.Of(exception);
            voice.CountError(errorType);
            Refuse(exception is LogSinkException ? exception.Message : FileErrorClass.Failure("cannot make the link", link, errorType, cause: exception).Message);
        }
    }

    // Never absent and never half made: a new link takes the place of the old one.
    private void Point(FileSinkSettings settings, string name, string target)
    {
        string link = settings.PathOf(name);
        if (new FileInfo(link).LinkTarget != target)
        {
            string temporary = settings.PathOf(FileNamePattern.TemporaryName(name, Environment.ProcessId));
            files.Delete(temporary);
            File.CreateSymbolicLink(temporary, target);
            File.Move(temporary, link, overwrite: true);
        }

        voice.Resolve(Condition, $"{link} points to the active file again.");
    }

    private void Refuse(string message) => voice.Report(SelfReportLevel.Warning, Condition, $"{message}. Logging goes on without it.");
}
