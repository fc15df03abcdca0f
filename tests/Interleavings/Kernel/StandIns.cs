using System.Diagnostics;
using System.Runtime.CompilerServices;
using AsyncLog.Tests.Kernel;

// The kernel's source is in this namespace, so these types hide those of System.Threading and System.Diagnostics from it.
namespace AsyncLog;

/// <summary>Stands in for <see cref="System.Threading.Volatile"/>: each access is a step that the scheduler may put another thread before.</summary>
internal static class Volatile
{
    public static T Read<T>(ref readonly T location, [CallerArgumentExpression(nameof(location))] string name = "")
    {
        if (Scheduler.Running is not { } scheduler)
            return location;
        // What only holders of the lock write cannot change here.
        if (!scheduler.HoldsLock || typeof(T) == typeof(long))
            scheduler.Step($"reads {name}");
        var value = location;
        scheduler.Forward(ref Unsafe.AsRef(in location), ref value);
        scheduler.Observe(value);
        return value;
    }

    public static void Write<T>(ref T location, T value, [CallerArgumentExpression(nameof(location))] string name = "")
    {
        if (Scheduler.Running is not { } scheduler)
        {
            location = value;
            return;
        }

        scheduler.Step($"writes {name}");
        if (scheduler.TryBuffer(ref location, value))
            return;
        location = value;
        // Another thread may come before the plain accesses that follow.
        if (!scheduler.HoldsLock)
            scheduler.Step($"has written {name}");
    }
}

/// <summary>Stands in for <see cref="System.Threading.Interlocked"/>: one step, and a full barrier.</summary>
internal static class Interlocked
{
    public static long CompareExchange(ref long location, long value, long comparand, [CallerArgumentExpression(nameof(location))] string name = "")
    {
        Barrier($"compares and swaps {name}");
        var before = location;
        if (before == comparand)
            location = value;
        Scheduler.Running?.Observe(before);
        return before;
    }

    public static int CompareExchange(ref int location, int value, int comparand, [CallerArgumentExpression(nameof(location))] string name = "")
    {
        Barrier($"compares and swaps {name}");
        var before = location;
        if (before == comparand)
            location = value;
        Scheduler.Running?.Observe(before);
        return before;
    }

    public static T CompareExchange<T>(ref T location, T value, T comparand)
        where T : class?
    {
        var before = location;
        if (ReferenceEquals(before, comparand))
            location = value;
        return before;
    }

    public static T Exchange<T>(ref T location, T value)
        where T : class?
    {
        var before = location;
        location = value;
        return before;
    }

    public static long Or(ref long location, long value, [CallerArgumentExpression(nameof(location))] string name = "")
    {
        Barrier($"sets bits of {name}");
        var before = location;
        location = before | value;
        Scheduler.Running?.Observe(before);
        return before;
    }

    public static long Add(ref long location, long value, [CallerArgumentExpression(nameof(location))] string name = "")
    {
        Barrier($"adds to {name}");
        location += value;
        Scheduler.Running?.Observe(location);
        return location;
    }

    /// <summary>Of a counter in debug builds: neither a step nor a barrier.</summary>
    public static void Increment(ref long location) => location++;

    public static void MemoryBarrier() => Barrier("passes a barrier");

    private static void Barrier(string step)
    {
        if (Scheduler.Running is not { } scheduler)
            return;
        scheduler.Step(step);
        scheduler.DrainOwn();
    }
}

/// <summary>Stands in for <see cref="System.Threading.Monitor"/>. There is one lock.</summary>
internal static class Monitor
{
    public static void Enter(object gate) => Scheduler.Running!.EnterLock();

    public static void Exit(object gate) => Scheduler.Running!.ExitLock();

    public static bool IsEntered(object gate) => Scheduler.IsQuiet || Scheduler.Running is not { HoldsLock: false };
}

/// <summary>Stands in for <see cref="System.Diagnostics.Debug"/>: an assertion that does not hold is the failure of the interleaving.</summary>
internal static class Debug
{
    [Conditional("DEBUG")]
    public static void Assert(bool condition, string message)
    {
        if (!condition)
            throw new InvalidOperationException(message);
    }
}

/// <summary>Stands in for the event on which the worker sleeps. It latches a wake-up.</summary>
internal sealed class WorkerSignal
{
    public bool IsSet { get; private set; }

    public void Set()
    {
        if (Scheduler.Running is { } scheduler)
        {
            scheduler.Step("sets the signal");
            scheduler.DrainOwn();
        }

        IsSet = true;
    }

    public void Wait()
    {
        // Another thread may come between the last look and the sleep, which makes the stores visible.
        Scheduler.Running!.Step("goes to sleep");
        Scheduler.Running!.WaitUntil("sleeps on the signal", () => IsSet);
        IsSet = false;
    }
}
