using AsyncLog.Tests.Run;

namespace AsyncLog.Tests.Disk;

/// <summary>The trouble that the disk has at present, and the space that is left.</summary>
internal sealed class DiskFaults(Choices choices)
{
    public const long TotalSpace = 1 << 20;
    private Kind _kind;
    private double _probability;

    private enum Kind
    {
        None,
        Full,
        ReadOnly,
        Io,
        Sync,
        SyncDirectory,
        Open,
        Rename,
        Delete,
        Stat,
        List,
        Close,
        ShortWrites,
        Slow,
        Hangs,
        LowSpace,
    }

    /// <summary>What the seams do wrong on purpose.</summary>
    public Mutant Mutant { get; init; }

    /// <summary>Bytes that are free.</summary>
    public long Free { get; private set; } = TotalSpace;

    /// <summary>Operations that failed.</summary>
    public int Failed { get; private set; }

    /// <summary>True if operations take long.</summary>
    public bool IsSlow => _kind == Kind.Slow;

    /// <summary>True if operations do not return.</summary>
    public bool IsHung => _kind == Kind.Hangs;

    public override string ToString() => $"{_kind} {_probability:0.0} free {Free}";

    /// <summary>Other trouble, or none.</summary>
    /// <param name="syncs">True if syncs may fail.</param>
    public void Change(bool syncs)
    {
        End();
        var kinds = Enum.GetValues<Kind>();
        _kind = choices.Chance(0.3) ? Kind.None : kinds[choices.Below(kinds.Length)];
        if (!syncs && _kind is Kind.Sync or Kind.SyncDirectory)
            _kind = Kind.ShortWrites;
        _probability = choices.Of(0.1, 0.3, 0.7, 1.0);
        if (_kind == Kind.Full)
            Free = choices.Between(0, 600);
        if (_kind == Kind.LowSpace)
            Free = choices.Between(500, 40_000);
    }

    /// <summary>Ends all trouble.</summary>
    public void End()
    {
        if (Mutant == Mutant.TroubleThatNeverEnds && _kind == Kind.Full)
            return;
        _kind = Kind.None;
        Free = TotalSpace;
    }

    /// <summary>The class of the error that an operation ends with; null: it works.</summary>
    public string? Of(DiskOperation operation)
    {
        var errorType = ErrorOf(operation);
        if (errorType is null || !choices.Chance(_probability))
            return null;
        Failed++;
        return errorType;
    }

    /// <summary>Bytes of an append that the disk takes; 0: none, the disk is full.</summary>
    public int TakenOf(int bytes)
    {
        var taken = _kind == Kind.ShortWrites && choices.Chance(_probability) ? choices.Between(1, bytes) : bytes;
        if (_kind != Kind.Full)
            return taken;
        taken = (int)Math.Min(taken, Free);
        Free -= taken;
        Failed += taken == 0 ? 1 : 0;
        return taken;
    }

    private string? ErrorOf(DiskOperation operation) => (_kind, operation) switch
    {
        (Kind.Io, not (DiskOperation.Space or DiskOperation.Read or DiskOperation.Sync or DiskOperation.SyncDirectory or DiskOperation.Close)) => FileErrorClass.IoError,
        (Kind.ReadOnly, DiskOperation.Append or DiskOperation.Open or DiskOperation.Rename or DiskOperation.Delete or DiskOperation.CreateDirectory) => FileErrorClass.ReadOnly,
        (Kind.Sync, DiskOperation.Sync) => FileErrorClass.IoError,
        (Kind.SyncDirectory, DiskOperation.SyncDirectory) => FileErrorClass.IoError,
        (Kind.Open, DiskOperation.Open or DiskOperation.OpenToRead) => FileErrorClass.TooManyFiles,
        (Kind.Rename, DiskOperation.Rename) => FileErrorClass.Permission,
        (Kind.Delete, DiskOperation.Delete) => FileErrorClass.Permission,
        (Kind.Stat, DiskOperation.Stat or DiskOperation.StatOpen) => FileErrorClass.Other,
        (Kind.List, DiskOperation.List) => FileErrorClass.IoError,
        (Kind.Close, DiskOperation.Close) => FileErrorClass.IoError,
        (Kind.Full, DiskOperation.CreateDirectory) => FileErrorClass.NoSpace,
        _ => null,
    };
}
