namespace AsyncLog;

/// <summary>Which limit a deleted file was over.</summary>
internal enum DeletionReason
{
    Count,
    Age,
    TotalSize,
}
