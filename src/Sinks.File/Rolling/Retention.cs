namespace AsyncLog;

/// <summary>Chooses the files that are not kept any more.</summary>
internal static class Retention
{
    /// <param name="finished">Names of own files without the active one, with what they say.</param>
    /// <param name="countLimit">How many files are kept, the active one included; null: all.</param>
    /// <returns>The names to delete, oldest first.</returns>
    public static IReadOnlyList<string> Choose(IEnumerable<(string Name, FileStamp Stamp)> finished, int? countLimit)
    {
        if (countLimit is not { } limit)
            return [];
        List<(string Name, FileStamp Stamp)> oldestFirst = [.. finished];
        oldestFirst.Sort(static (left, right) =>
        {
            int byStamp = left.Stamp.CompareTo(right.Stamp);
            return byStamp != 0 ? byStamp : string.CompareOrdinal(left.Name, right.Name);
        });

        int surplus = oldestFirst.Count - Math.Max(0, limit - 1);
        return surplus <= 0 ? [] : [.. oldestFirst.Take(surplus).Select(file => file.Name)];
    }
}
