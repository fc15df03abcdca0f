namespace AsyncLog.Tests;

/// <summary>What a saboteur may do.</summary>
internal enum ActKind
{
    RenameFile,
    CopyAndTruncateFile,
    DeleteFile,
    FillDisk,
    RemoveDirectory,
}
