namespace AsyncLog.Bench;

/// <summary>How a library is set up for one run.</summary>
/// <param name="Directory">Where its file goes.</param>
/// <param name="Drops">Whether it drops when its queue is full, so that a full queue shows in the count of lines; otherwise callers wait and nothing is lost.</param>
internal sealed record LibrarySetup(string Directory, bool Drops)
{
    /// <summary>Where requests go, for a library that sends them.</summary>
    public Uri? Collector { get; init; }

    /// <summary>Whether lines of text have the scopes; JSON always has them.</summary>
    public bool HasScopes { get; init; }

    /// <summary>A path in the directory.</summary>
    public string PathOf(string file) => Path.Combine(Directory, file);
}
