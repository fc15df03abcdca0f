namespace AsyncLog;

/// <summary>A file of a set that is not written any more.</summary>
/// <param name="Name">In the directory of the set.</param>
/// <param name="Stamp">What the name says; where it names a time that has not come, when the file was last written.</param>
/// <param name="Stat">What the file system says.</param>
/// <param name="End">When its period ended.</param>
internal readonly record struct FinishedFile(string Name, FileStamp Stamp, FileStat Stat, DateTimeOffset End) : IComparable<FinishedFile>
{
    /// <summary>The oldest comes first.</summary>
    public int CompareTo(FinishedFile other)
    {
        int byStamp = Stamp.CompareTo(other.Stamp);
        return byStamp != 0 ? byStamp : string.CompareOrdinal(Name, other.Name);
    }
}
