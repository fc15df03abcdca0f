using System.Collections.Concurrent;

namespace AsyncLog;

/// <summary>Records of AsyncLog itself that wait for the worker of their instance. Any thread.</summary>
internal sealed class PostedNotices
{
    /// <summary>The most that wait: of more, the oldest are left out.</summary>
    public const int Max = 16;

    private readonly ConcurrentQueue<PostedNotice> _waiting = new();

    public bool HasAny => !_waiting.IsEmpty;

    public void Add(PostedNotice notice)
    {
        _waiting.Enqueue(notice);
        while (_waiting.Count > Max)
            _waiting.TryDequeue(out _);
    }

    public bool TryTake(out PostedNotice notice) => _waiting.TryDequeue(out notice);
}

/// <summary>A notice that waits to be written.</summary>
/// <param name="Make">Makes it when it is written.</param>
/// <param name="At">The time of the record.</param>
/// <param name="IsLastAttempt">True if the sink refused it once: it is not kept again.</param>
internal readonly record struct PostedNotice(Func<Notice> Make, DateTimeOffset At, bool IsLastAttempt = false);
