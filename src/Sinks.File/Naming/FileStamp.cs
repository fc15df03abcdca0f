namespace AsyncLog;

/// <summary>What the name of a file says: its period and its place within it. The order is that in which files were written.</summary>
/// <param name="Date">The start of the period; the first day of the calendar where the name has no date.</param>
/// <param name="Number">0 for a dated file without a number.</param>
internal readonly record struct FileStamp(DateTime Date, long Number) : IComparable<FileStamp>
{
    public int CompareTo(FileStamp other)
    {
        int byDate = Date.CompareTo(other.Date);
        return byDate != 0 ? byDate : Number.CompareTo(other.Number);
    }
}
