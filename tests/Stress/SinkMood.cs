namespace AsyncLog.Tests;

/// <summary>How the sink of a round behaves.</summary>
internal enum SinkMood
{
    /// <summary>Takes every batch at once.</summary>
    Fast,

    /// <summary>Takes its time with every batch.</summary>
    Slow,

    /// <summary>Throws now and then before it took anything.</summary>
    Failing,

    /// <summary>Takes some bytes, also parts of records, and throws.</summary>
    Partial,

    /// <summary>Refuses single records, the rest, or a count.</summary>
    Refusing,
}
