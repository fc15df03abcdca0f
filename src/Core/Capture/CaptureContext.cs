using System.Diagnostics;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

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
    // The execution context in which the thread found no scope last, and whether it has an activity. Weak, so that its values can go.
    private readonly WeakReference<ExecutionContext?> _scopeless = new(null);
    private IExternalScopeProvider? _scopelessOf;
    private bool _hasActivity;
    private int _depth;
    private bool _hasScope;

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
        _events[_depth] ??= new LogEvent();
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

    /// <summary>Returns true if there is an activity or a scope that the records of a call lack. May throw: the provider may be the application's.</summary>
    public bool FindsLacking(CallSite site, IExternalScopeProvider? scopes)
    {
        // Scopes and activity are values of the execution context, which is immutable. Null: its flow is suppressed.
        var execution = ExecutionContext.Capture();
        if (execution is not null && ReferenceEquals(scopes, _scopelessOf) && _scopeless.TryGetTarget(out var known) && ReferenceEquals(execution, known))
            return site.LacksTrace && _hasActivity;
        var hasActivity = Activity.Current is not null;
        if ((site.LacksTrace && hasActivity) || (site.LacksScopes && FindsScope(scopes)))
            return true;
        if (site.LacksScopes && execution is not null && (scopes is null || IsOfExecution(scopes)))
        {
            (_scopelessOf, _hasActivity) = (scopes, hasActivity);
            _scopeless.SetTarget(execution);
        }

        return false;
    }

    // The scopes of the factory, and those of a provider that is used without one.
    private static bool IsOfExecution(IExternalScopeProvider scopes) => scopes.GetType() == typeof(LoggerExternalScopeProvider) || scopes.GetType().Assembly == typeof(LoggerFactory).Assembly;

    private bool FindsScope(IExternalScopeProvider? scopes)
    {
        _hasScope = false;
        scopes?.ForEachScope(static (_, context) => context._hasScope = true, this);
        return _hasScope;
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
