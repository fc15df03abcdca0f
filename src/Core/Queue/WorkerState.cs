namespace AsyncLog;

/// <summary>What the worker does, as far as a caller has to know: whether a wake-up is needed. Kept as an int for compare-and-swap.</summary>
internal static class WorkerState
{
    /// <summary>Delivers, or was just woken: callers do not wake it.</summary>
    public const int Awake = 0;

    /// <summary>Naps a millisecond at most: only an urgent record wakes it.</summary>
    public const int ShortNap = 1;

    /// <summary>Naps longer: an urgent record or a full segment wakes it.</summary>
    public const int LongNap = 2;

    /// <summary>Waits without end: any record wakes it.</summary>
    public const int Parked = 3;
}
