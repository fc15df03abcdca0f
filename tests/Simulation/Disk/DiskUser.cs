namespace AsyncLog.Tests.Disk;

/// <summary>The kinds of operations, for faults and traces.</summary>
internal enum DiskOperation
{
    Open,
    OpenToRead,
    Append,
    Stat,
    StatOpen,
    Rename,
    Delete,
    List,
    CreateDirectory,
    Space,
    Sync,
    SyncDirectory,
    Truncate,
    Read,
    Close,
}

/// <summary>A process as the disk sees it: each operation takes its time, may fail, and may be the last one.</summary>
internal sealed class DiskUser(DiskFaults faults)
{
    /// <summary>Runs before each operation: time passes, others act, the process may die. True if it dies in the middle of the operation.</summary>
    public required Func<DiskOperation, string, bool> Entering { get; init; }

    /// <summary>Lets the process die.</summary>
    public required Action Dying { get; init; }

    /// <summary>True if the process has died: whatever its remains call throws.</summary>
    public bool IsDead { get; set; }

    public DiskFaults Faults => faults;

    /// <summary>True if the process dies when the operation has had its effect, or a part of it.</summary>
    public bool IsDying { get; private set; }

    /// <summary>Before the effect of an operation.</summary>
    /// <exception cref="LogSinkException">It fails.</exception>
    /// <exception cref="ProcessDiedException">The process is dead, or dies here.</exception>
    public void Enter(DiskOperation operation, string path)
    {
        ThrowIfDead();
        IsDying = Entering(operation, path);
        ThrowIfDead();
        if (faults.Of(operation) is { } errorType)
            throw FileErrorClass.Failure($"cannot {operation}", path, errorType);
    }

    /// <summary>After it.</summary>
    /// <exception cref="ProcessDiedException">The process dies here.</exception>
    public void Leave()
    {
        if (IsDying)
            Dying();
        ThrowIfDead();
    }

    private void ThrowIfDead()
    {
        if (IsDead)
            throw new ProcessDiedException();
    }
}

/// <summary>Unwinds the stack of a process that has died. Product code may catch it; every further operation throws it again.</summary>
internal sealed class ProcessDiedException : Exception;
