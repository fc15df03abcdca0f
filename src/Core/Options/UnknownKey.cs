namespace AsyncLog;

/// <summary>A key of a section that no option has, or a value that is valid and probably not meant.</summary>
/// <param name="Path">The full key path.</param>
/// <param name="Hint">Probable intention, in words; null when no known name is near.</param>
/// <param name="IsFatal">True if it stops the start also without <c>Strict</c>: below <c>Tls</c> a slip would mean less security.</param>
internal sealed record UnknownKey(string Path, string? Hint, bool IsFatal = false)
{
    /// <summary>The words that follow the path in a message.</summary>
    public string Statement { get; init; } = "is not a known option";

    /// <summary>True if <c>Strict</c> leaves it alone: it may belong to another library, or be meant as it stands.</summary>
    public bool IsGuess { get; init; }

    /// <summary>True if the key has an effect, though probably not the one that was meant.</summary>
    public bool IsUsed { get; init; }

    /// <summary>Of a key of levels: the category whose loggers show that it is meant as it stands; else null.</summary>
    public string? Category { get; init; }

    public override string ToString() => Hint is null ? $"{Path} {Statement}" : $"{Path} {Statement}; {Hint}";
}

/// <summary>Finds hints for unknown keys: a slip, a name from another logger, an option of a later version.</summary>
internal static class UnknownKeyHints
{
    private const string NotNeeded = "";

    // Key names of other loggers. A word counts only where its target is a known key.
    private static readonly Dictionary<string, string> Synonyms = new(StringComparer.OrdinalIgnoreCase)
    {
        ["MinLevel"] = "LogLevel",
        ["MinimumLevel"] = "LogLevel",
        ["outputTemplate"] = "Template",
        ["layout"] = "Template",
        ["fileSizeLimitBytes"] = "FileSizeLimit",
        ["maxFileSize"] = "FileSizeLimit",
        ["archiveAboveSize"] = "FileSizeLimit",
        ["maximumFileSize"] = "FileSizeLimit",
        ["archiveEvery"] = "RollingInterval",
        ["datePattern"] = "RollingInterval",
        ["maxArchiveFiles"] = "RetainedFileCountLimit",
        ["MaxRollingFiles"] = "RetainedFileCountLimit",
        ["maxSizeRollBackups"] = "RetainedFileCountLimit",
        ["maxArchiveDays"] = "RetainedFileTimeLimit",
        ["blockWhenFull"] = "QueueFullMode",
        ["overflowAction"] = "QueueFullMode",
        ["FullMode"] = "QueueFullMode",
        ["bufferSize"] = "MaxQueueLength",
        ["queueLimit"] = "MaxQueueLength",
        ["Host"] = "Endpoint",
        ["Port"] = "Endpoint",
        ["Protocol"] = "Endpoint",
        ["Address"] = "Endpoint",
        ["RemoteAddress"] = "Endpoint",
        ["RemotePort"] = "Endpoint",
        ["Url"] = "Endpoint",
        ["SpillPath"] = "SpoolPath",
        ["bufferBaseFilename"] = "SpoolPath",
        ["bufferSizeLimitBytes"] = "SpoolSizeLimit",
        ["Audit"] = "AcknowledgeLevel",
        ["FlushInterval"] = NotNeeded,
        ["autoFlush"] = NotNeeded,
        ["buffered"] = NotNeeded,
        ["shared"] = NotNeeded,
        ["concurrentWrites"] = NotNeeded,
    };

    /// <summary>The words for a key or a format of a later version.</summary>
    public const string Planned = "planned, not available in this version";

    /// <summary>Options of a later version that every instance or the process will have.</summary>
    public static IReadOnlyList<string> PlannedEverywhere { get; } =
        ["MaxTotalQueueMemory", "StormLimit", "RedactKeys"];

    /// <summary>Formats of a later version.</summary>
    public static IReadOnlyList<string> PlannedFormats { get; } = ["Ecs", "Logfmt", "OtlpJson"];

    /// <summary>The hint in words; null when there is none.</summary>
    /// <remarks>
    /// A name that is exactly a word of another logger or a planned option is no slip of a known key, however near: <c>MinLevel</c> is two
    /// edits from <c>MaxLevel</c> and means <c>LogLevel</c>.
    /// </remarks>
    public static string? For(string name, IReadOnlyCollection<string> known, IReadOnlySet<string> planned)
    {
        if (Synonyms.TryGetValue(name, out string? meant))
        {
            string? target = known.FirstOrDefault(key => key.Equals(meant, StringComparison.OrdinalIgnoreCase));
            return meant == NotNeeded ? "it is not needed"
                : target is not null ? DidYouMean(target)
                : planned.Contains(meant) ? $"its name here is '{meant}': {Planned}"
                : null;
        }

        if (planned.Contains(name))
            return Planned;

        if (NameSuggestions.Near(name, known) is { } near)
            return DidYouMean(near);

        return NameSuggestions.Near(name, planned) is { } later ? $"did you mean '{later}'? ({Planned})" : null;
    }

    private static string DidYouMean(string name) => $"did you mean '{name}'?";
}
