namespace AsyncLog;

/// <summary>The file sets of one provider, so that none deletes what belongs to another. Any thread.</summary>
internal sealed class FileNameOwners
{
    private readonly Lock _gate = new();
    private readonly Dictionary<object, FileSinkSettings> _sets = [];

    public void Set(object owner, FileSinkSettings settings)
    {
        lock (_gate)
            _sets[owner] = settings;
    }

    public void Remove(object owner)
    {
        lock (_gate)
            _sets.Remove(owner);
    }

    /// <summary>Held while a file is compressed: one at a time in the process.</summary>
    public Lock Compression { get; } = new();

    /// <summary>Whether no other set has a better claim to a name in the same directory: its active file, or more fixed text; with as much, the first
    /// pattern.</summary>
    public bool Owns(object owner, FileSinkSettings own, string name)
    {
        lock (_gate)
        {
            foreach ((object other, FileSinkSettings settings) in _sets)
            {
                if (ReferenceEquals(other, owner) || settings.Directory != own.Directory)
                    continue;
                bool isActive = !settings.Names.IsDated && settings.Names.ActiveName(default) == name;
                if (isActive || (HasBetterClaim(settings.Names, own.Names) && settings.Names.TryParse(name, out _)))
                    return false;
            }
        }

        return true;
    }

    /// <summary>Whether the set may point its link to its active file: of several sets with one link, that with the first pattern.</summary>
    public bool OwnsLink(object owner, FileSinkSettings own)
    {
        lock (_gate)
        {
            return !_sets.Any(set => !ReferenceEquals(set.Key, owner) && set.Value.Directory == own.Directory && set.Value.LatestLink == own.LatestLink
                && ComesFirst(set.Value.Names, own.Names));
        }
    }

    private static bool HasBetterClaim(FileNamePattern other, FileNamePattern own) =>
        other.TextLength == own.TextLength ? ComesFirst(other, own) : other.TextLength > own.TextLength;

    private static bool ComesFirst(FileNamePattern other, FileNamePattern own) =>
        string.CompareOrdinal(other.NumberedName(default, 1), own.NumberedName(default, 1)) < 0;
}
