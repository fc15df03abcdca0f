using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>The scratch of one thread: an event with its record for each depth of re-entrance, created on first use, collected with the thread.</summary>
internal sealed class CaptureContext
{
    private const int MaxDepth = 4;

    [ThreadStatic]
    private static CaptureContext? _current;

    private readonly LogEvent?[] _events = new LogEvent?[MaxDepth];

    // Kept here, so that a caller reads thread-local memory once.
    private readonly LoopGuard _guard = LoopGuard.Current;
    private int _depth;

    /// <summary>The memory of records without an event.</summary>
    public CallScratch Calls { get; } = new();

    /// <summary>True if the thread runs on behalf of a sink.</summary>
    public bool IsGuarded => _guard.IsGuarded;

    /// <summary>True if the thread renders an event.</summary>
    public bool IsEntered => _depth > 0;

    /// <summary>The context of this thread.</summary>
    public static CaptureContext Current
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _current ?? Create();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static CaptureContext Create() => _current = new CaptureContext();

    /// <summary>The innermost event.</summary>
    public LogEvent Event => _events[_depth - 1]!;

    /// <summary>Takes the event of the next depth; false beyond the deepest level.</summary>
    /// <remarks>Every true is followed by one <see cref="Exit"/>, in a finally.</remarks>
    public bool TryEnter()
    {
        if (_depth == MaxDepth)
            return false;
        _events[_depth] ??= _depth == 0 ? Calls.Event : new LogEvent();
        _depth++;
        return true;
    }

    /// <summary>Takes <see cref="Calls"/>; false inside a sink, and while an event is rendered.</summary>
    /// <remarks>Every true is followed by one <see cref="ExitFast"/>, in a finally.</remarks>
    public bool TryEnterFast()
    {
        if (_depth != 0 || IsGuarded)
            return false;
        _depth = 1;
        return true;
    }

    public void ExitFast()
    {
        _depth = 0;
        Calls.Trim();
    }

    /// <summary>Ends the innermost event.</summary>
    public void Exit()
    {
        Debug.Assert(_depth > 0, "Each Exit follows a TryEnter that returned true.");
        // Decremented after the reset: an object that the reset disposes may log, and then gets its own event.
        _events[_depth - 1]!.Reset();
        _depth--;
    }
}
