using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace AsyncLog.Tests;

/// <summary>The only place where tests wait: polls a condition that another thread, a process or the network brings about. The deadline is for failing, not for passing.</summary>
internal static class Eventually
{
    private const int HoldsPollMilliseconds = 5;
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(30);

    // Never set: waiting for it rests the thread and allocates nothing.
    private static readonly ManualResetEvent Never = new(false);

    /// <summary>Blocks until the condition holds. Allocates nothing but the failure.</summary>
    /// <param name="condition">The condition.</param>
    /// <param name="meanwhile">Called each time the condition does not hold yet.</param>
    /// <param name="pollMilliseconds">The rest before it is asked again.</param>
    /// <param name="text">The condition as it is written.</param>
    /// <exception cref="TimeoutException">It did not hold within 30 s.</exception>
    public static void True(
        Func<bool> condition, Action? meanwhile = null, int pollMilliseconds = 1, [CallerArgumentExpression(nameof(condition))] string text = "")
    {
        var start = Stopwatch.GetTimestamp();
        while (!condition())
        {
            if (Stopwatch.GetElapsedTime(start) > Deadline)
                throw Late(Deadline, text);
            meanwhile?.Invoke();
            Never.WaitOne(pollMilliseconds);
        }
    }

    /// <summary>Ends when the condition holds.</summary>
    /// <param name="condition">The condition.</param>
    /// <param name="otherwise">What to say when it never does; null: the condition as it is written.</param>
    /// <param name="deadline">When to give up; null: after 30 s.</param>
    /// <param name="text">The condition as it is written.</param>
    /// <exception cref="TimeoutException">It did not hold before the deadline.</exception>
    public static Task Holds(
        Func<bool> condition, Func<string>? otherwise = null, TimeSpan? deadline = null, [CallerArgumentExpression(nameof(condition))] string text = "")
        => Holds(() => Task.FromResult(condition()), otherwise, deadline, text);

    /// <inheritdoc cref="Holds(Func{bool}, Func{string}?, TimeSpan?, string)"/>
    public static async Task Holds(
        Func<Task<bool>> condition, Func<string>? otherwise = null, TimeSpan? deadline = null, [CallerArgumentExpression(nameof(condition))] string text = "")
    {
        var start = Stopwatch.GetTimestamp();
        var longest = deadline ?? Deadline;
        using var poll = new PeriodicTimer(TimeSpan.FromMilliseconds(HoldsPollMilliseconds));
        while (!await condition())
        {
            if (Stopwatch.GetElapsedTime(start) > longest)
                throw Late(longest, otherwise?.Invoke() ?? text);
            await poll.WaitForNextTickAsync();
        }
    }

    private static TimeoutException Late(TimeSpan deadline, string what) => new(FormattableString.Invariant($"Not within {deadline.TotalSeconds} s: {what}"));
}
