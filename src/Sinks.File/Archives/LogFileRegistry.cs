namespace AsyncLog;

/// <summary>The file sets of one provider, so that none deletes or links a file of another. Any thread.</summary>
/// <param name="ignoresCase">True if names that differ in case only are one file; null: as on this system.</param>
internal sealed class LogFileRegistry(bool? ignoresCase = null)
{
    private readonly StringComparer _names = ignoresCase ?? !OperatingSystem.IsLinux() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;

    // Protects the sets; names are compared under it.
    private readonly Lock _gate = new();
    private readonly Dictionary<object, LogFileSettings> _sets = [];

    /// <summary>Held while a file is compressed: one at a time in the process.</summary>
    public Lock Compression { get; } = new();

    public void Set(object owner, LogFileSettings settings)
    {
        lock (_gate)
            _sets[owner] = settings;
    }

    public void Remove(object owner)
    {
        lock (_gate)
            _sets.Remove(owner);
    }

    /// <summary>Returns true if no other set in the directory has a better claim to a name: as its active file, by more fixed text, or, with as much, by the first
    /// pattern.</summary>
    public bool Owns(object owner, LogFileSettings own, string name)
    {
        lock (_gate)
        {
            return !OthersIn(owner, own).Any(other =>
                (!other.Names.IsDated && _names.Equals(other.Names.ActiveName(default), name)) || (HasBetterClaim(other.Names, own.Names) && other.Names.TryParse(name, out _)));
        }
    }

    /// <summary>Returns true if the set may point its link to its active file: of several sets with one link, that with the first pattern.</summary>
    public bool OwnsLink(object owner, LogFileSettings own)
    {
        lock (_gate)
            return !OthersIn(owner, own).Any(other => _names.Equals(other.LatestLink, own.LatestLink) && ComesFirst(other.Names, own.Names));
    }

    private IEnumerable<LogFileSettings> OthersIn(object owner, LogFileSettings own) =>
        _sets.Where(other => !ReferenceEquals(other.Key, owner) && _names.Equals(other.Value.Directory, own.Directory)).Select(static other => other.Value);

    private static bool HasBetterClaim(FileNamePattern other, FileNamePattern own) =>
        other.TextLength == own.TextLength ? ComesFirst(other, own) : other.TextLength > own.TextLength;

    private static bool ComesFirst(FileNamePattern other, FileNamePattern own) =>
        string.CompareOrdinal(other.NumberedName(default, 1), own.NumberedName(default, 1)) < 0;
}
