namespace AsyncLog;

/// <summary>What becomes of a finished log file's content.</summary>
public enum FileCompression
{
    /// <summary>It stays as it was written.</summary>
    None,

    /// <summary>It is compressed in the background, no sooner than two seconds after the roll, and gets <c>.gz</c> behind its name (RFC 1952).</summary>
    Gzip,
}
