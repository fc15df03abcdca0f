using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Marks code that runs on behalf of a sink, so that records of a sink or its transport are dropped instead of looping.</summary>
/// <remarks>The worker enters once; the execution context carries the mark into every continuation. The change handler keeps a flag of the
/// thread up to date, so that a caller of a logger never reads an <see cref="AsyncLocal{T}"/>.</remarks>
internal sealed class LoopGuard
{
    private static readonly AsyncLocal<bool> Mark = new(static change => Current.IsGuarded = change.CurrentValue);

    [ThreadStatic]
    private static LoopGuard? _current;

    /// <summary>True if the thread runs on behalf of a sink.</summary>
    public bool IsGuarded { get; private set; }

    /// <summary>The flag of this thread; may be kept by objects of the same thread.</summary>
    public static LoopGuard Current
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _current ?? Create();
    }

    public static void Enter() => Mark.Value = true;

    /// <summary>Runs an action of a sink on a thread that is not the worker's.</summary>
    public static void Run(Action action)
    {
        var before = Mark.Value;
        Mark.Value = true;
        try
        {
            action();
        }
        finally
        {
            Mark.Value = before;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static LoopGuard Create() => _current = new LoopGuard();
}
