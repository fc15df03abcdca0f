namespace AsyncLog.Tests.Transport;

/// <summary>Answers in turn; the last one is for all that follow.</summary>
internal sealed class AnswerScript(StubCollector collector, params IReadOnlyList<StubAnswer> answers)
{
    private int _attempts;
    private int _inFlight;

    public int Attempts => Volatile.Read(ref _attempts);

    /// <summary>Whether the status of the current attempt's answer has come.</summary>
    public bool HasStatus { get; set; }

    /// <summary>Whether time has to pass before the current attempt ends.</summary>
    public bool IsStuck => collector.Held is { } held && ReferenceEquals(held, collector.Answer) && (HasStatus || !held.Stalls);

    /// <summary>Whether an attempt runs, its answer's body included.</summary>
    public bool IsRunning => Volatile.Read(ref _inFlight) > 0;

    public StubAnswer Begin()
    {
        HasStatus = false;
        Interlocked.Increment(ref _inFlight);
        StubAnswer answer = answers[Math.Min(_attempts, answers.Count - 1)];
        collector.Answer = answer;
        Interlocked.Increment(ref _attempts);
        return answer;
    }

    public void End() => Interlocked.Decrement(ref _inFlight);
}
