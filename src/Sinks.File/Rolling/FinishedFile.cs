namespace AsyncLog;

/// <summary>A file of a set that is not written any more.</summary>
/// <param name="Name">In the directory of the set.</param>
/// <param name="Stamp">The date and number of its name; where the date is ahead of the clock, the time of its last write in its place.</param>
/// <param name="Stat">What the file system says.</param>
/// <param name="End">When its period ended.</param>
internal readonly record struct FinishedFile(string Name, ArchiveKey Stamp, FileStat Stat, DateTimeOffset End) : IComparable<FinishedFile>
{
    /// <summary>The oldest comes first.</summary>
    public int CompareTo(FinishedFile other)
    {
        int byStamp = Stamp.CompareTo(other.Stamp);
        return byStamp != 0 ? byStamp : string.CompareOrdinal(Name, other.Name);
    }
}
