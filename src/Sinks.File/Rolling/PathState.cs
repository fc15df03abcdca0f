namespace AsyncLog;

/// <summary>What is at the path of the open file.</summary>
internal enum PathState
{
    /// <summary>The open file, or it cannot be told.</summary>
    Same,

    /// <summary>Another file or none; the open file has another name now.</summary>
    Moved,

    /// <summary>Another file or none; the open file has no name any more.</summary>
    Deleted,

    /// <summary>Not known: the open file is gone with its file system, its handle is stale.</summary>
    Lost,
}
