namespace AsyncLog;

/// <summary>What became of an attempt to rename without replacing anything.</summary>
internal enum FileMove
{
    Done,
    SourceGone,
    TargetTaken,
}
