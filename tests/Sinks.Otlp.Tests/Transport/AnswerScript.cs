namespace AsyncLog.Tests.Transport;

/// <summary>Answers in turn, each once unless it says for how long; the last one is for all that follow.</summary>
internal sealed class AnswerScript(StubCollector collector, params IReadOnlyList<StubAnswer> answers)
{
    private int _attempts;
    private readonly List<DateTimeOffset> _attemptedAt = [];
    private int _index;
    private DateTimeOffset? _firstUsed;

    public int Attempts => Volatile.Read(ref _attempts);

    /// <summary>The clock of answers that are given for a time.</summary>
    public TimeProvider Clock { get; set; } = TimeProvider.System;

    /// <summary>Attempts that no answer was meant for.</summary>
    public int Overruns { get; private set; }

    /// <summary>When each attempt began.</summary>
    public IReadOnlyList<DateTimeOffset> AttemptedAt
    {
        get
        {
            lock (_attemptedAt)
                return [.. _attemptedAt];
        }
    }

    /// <summary>The most that was read of the body of one answer.</summary>
    public long LongestRead { get; private set; }

    /// <summary>Whether the status of the current attempt's answer has come.</summary>
    public bool HasStatus { get; set; }

    /// <summary>Whether time has to pass before the current attempt ends.</summary>
    public bool IsStuck => collector.Held is { } held && ReferenceEquals(held, collector.Answer) && (HasStatus || !held.Stalls);

    public StubAnswer Begin()
    {
        HasStatus = false;
        lock (_attemptedAt)
            _attemptedAt.Add(Clock.GetUtcNow());
        StubAnswer answer = Next();
        collector.Answer = answer;
        Interlocked.Increment(ref _attempts);
        return answer;
    }

    public void NoteRead(long bytes) => LongestRead = Math.Max(LongestRead, bytes);

    // One attempt at a time.
    private StubAnswer Next()
    {
        while (_index < answers.Count - 1 && IsUsedUp(answers[_index]))
            (_index, _firstUsed) = (_index + 1, null);
        StubAnswer answer = answers[_index];
        if (_index == answers.Count - 1 && IsUsedUp(answer))
            Overruns++;
        _firstUsed ??= Clock.GetUtcNow();
        return answer;
    }

    private bool IsUsedUp(StubAnswer answer) => _firstUsed is { } first && !answer.IsForEver && (answer.For is not { } time || Clock.GetUtcNow() - first >= time);
}
