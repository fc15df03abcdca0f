namespace AsyncLog;

/// <summary>How much of a file set is kept.</summary>
/// <param name="Count">How many files, the active one included; null: all.</param>
/// <param name="TotalSize">How many bytes, the active file included; null: all.</param>
/// <param name="KeptSince">Files whose period ended later are kept; null: age plays no part.</param>
internal readonly record struct RetentionLimits(int? Count = null, long? TotalSize = null, DateTimeOffset? KeptSince = null);

/// <summary>Chooses the files that are not kept any more.</summary>
internal static class Retention
{
    /// <param name="oldestFirst">Own files without the active one.</param>
    /// <param name="activeSize">Bytes of the active file.</param>
    /// <param name="limits">What is kept.</param>
    /// <param name="ageBudget">How many may be deleted for their age alone.</param>
    /// <param name="postponed">How many more are too old.</param>
    /// <returns>What to delete, in this order.</returns>
    public static IReadOnlyList<(string Name, DeletionReason Reason)> Choose(
        IReadOnlyList<FinishedFile> oldestFirst, long activeSize, RetentionLimits limits, int ageBudget, out int postponed)
    {
        var chosen = new List<(string, DeletionReason)>();
        var kept = new List<FinishedFile>();
        int surplus = limits.Count is { } count ? oldestFirst.Count - Math.Max(0, count - 1) : 0;
        postponed = 0;
        for (int i = 0; i < oldestFirst.Count; i++)
        {
            FinishedFile file = oldestFirst[i];
            bool isTooOld = file.End <= limits.KeptSince;
            if (i < surplus)
                chosen.Add((file.Name, DeletionReason.Count));
            else if (isTooOld && ageBudget-- > 0)
                chosen.Add((file.Name, DeletionReason.Age));
            else
            {
                kept.Add(file);
                postponed += isTooOld ? 1 : 0;
            }
        }

        long total = activeSize + kept.Sum(static file => file.Stat.Size);
        foreach (FinishedFile file in kept)
        {
            if (!(total > limits.TotalSize))
                break;
            chosen.Add((file.Name, DeletionReason.TotalSize));
            total -= file.Stat.Size;
        }

        return chosen;
    }
}
