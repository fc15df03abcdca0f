namespace AsyncLog;

/// <summary>What a path or an open file is.</summary>
internal enum FileKind
{
    Other,
    Regular,
    Directory,
    Link,
}

/// <summary>What is known of a path or an open file.</summary>
/// <param name="Device">With <paramref name="Inode"/>, which file it is.</param>
/// <param name="Inode">See <paramref name="Device"/>.</param>
/// <param name="Kind">What it is; links are not followed.</param>
/// <param name="Links">How many names it has; 0: it was deleted.</param>
/// <param name="Size">Bytes.</param>
/// <param name="LastWrite">UTC.</param>
internal readonly record struct FileStat(ulong Device, ulong Inode, FileKind Kind, long Links, long Size, DateTimeOffset LastWrite)
{
    public bool IsSameFile(in FileStat other) => Device == other.Device && Inode == other.Inode;
}
