namespace AsyncLog.Tests.Disk;

/// <summary>Tests that change what belongs to the whole process; nothing runs beside them.</summary>
[CollectionDefinition(nameof(ProcessWide), DisableParallelization = true)]
public sealed class ProcessWide;
