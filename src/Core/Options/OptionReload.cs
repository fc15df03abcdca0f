namespace AsyncLog;

/// <summary>What a changed option does to a running instance.</summary>
internal enum OptionReload
{
    /// <summary>The next batch or record sees the new value.</summary>
    Live,

    /// <summary>The new value takes effect at a record boundary, in a new file: one layout per file.</summary>
    LiveNewFile,

    /// <summary>An option of the sink: AsyncLog opens a new sink and closes the old one. A common option: AsyncLog creates a new queue for the same sink.</summary>
    Rebuild,

    /// <summary>AsyncLog reports the change, which applies at the next start.</summary>
    NextStart,
}
