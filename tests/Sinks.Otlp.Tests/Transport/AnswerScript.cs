namespace AsyncLog.Tests.Transport;

/// <summary>Answers in turn; the last one is for all that follow.</summary>
internal sealed class AnswerScript(StubCollector collector, params IReadOnlyList<StubAnswer> answers)
{
    private int _attempts;
    private int _inFlight;

    public int Attempts => Volatile.Read(ref _attempts);

    /// <summary>Whether an attempt runs; an answer's body may still be on its way when none does.</summary>
    public bool IsRunning => Volatile.Read(ref _inFlight) > 0;

    public StubAnswer Begin()
    {
        Interlocked.Increment(ref _inFlight);
        StubAnswer answer = answers[Math.Min(_attempts, answers.Count - 1)];
        collector.Answer = answer;
        Interlocked.Increment(ref _attempts);
        return answer;
    }

    public void End() => Interlocked.Decrement(ref _inFlight);
}
